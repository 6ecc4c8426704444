package dev.kvorum.backup.manifest;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of a backup's objects:
 *
 * <pre>
 *  objects/[cluster]/[sha256 or its HMAC]           a file of a checkpoint
 *  backups/[cluster]/[id]/intents/[member].json     the files that a running backup relies on
 *  backups/[cluster]/[id]/members/[member].json     a member's part
 *  backups/[cluster]/[id]/manifest.json             the complete backup
 *  garbage/[cluster]/[time].json                    files that no backup had then
 *  sweeps/[cluster]/sweep                           while such files are deleted
 * </pre>
 *
 * <p>Manifests and files are apart, so that backups can be listed without all files.
 */
public final class BackupNames {
  /** Prefix of all manifests. */
  public static final String BACKUPS = "backups/";

  /** Age from which a sweep counts as interrupted; one that runs deletes for half of it. */
  public static final Duration SWEEP_MAX = Duration.ofMinutes(10);

  private static final Pattern ID = Pattern.compile("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}");
  private static final Pattern SERIES = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");
  private static final Pattern MANIFEST =
      Pattern.compile("backups/([^/]+)/(" + ID.pattern() + ")/manifest\\.json");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private BackupNames() {}

  /** A complete backup in an object store. */
  public record Found(String cluster, String id) {}

  /** A new id; ids sort by time. */
  public static String newId(Instant now, int random) {
    return TIME.format(now) + "-" + HexFormat.of().toHexDigits(random);
  }

  /** Returns whether a text has the form of an id. */
  public static boolean isId(String text) {
    try {
      return ID.matcher(text).matches() && ofNumber(number(text)).equals(text);
    } catch (DateTimeException e) {
      // Its digits are no time.
      return false;
    }
  }

  /** Returns whether a text may be the name of a series of backups. */
  public static boolean isSeries(String text) {
    return SERIES.matcher(text).matches();
  }

  /** A backup's id as a positive number, for a mark of a store. */
  public static long number(String id) {
    long seconds = Instant.from(TIME.parse(id.substring(0, id.indexOf('-')))).getEpochSecond();
    return (seconds << Integer.SIZE)
        | HexFormat.fromHexDigitsToLong(id, id.indexOf('-') + 1, id.length());
  }

  /** The id of a number. */
  public static String ofNumber(long number) {
    return newId(Instant.ofEpochSecond(number >>> Integer.SIZE), (int) number);
  }

  /** The files of a cluster. */
  public static String objects(String cluster) {
    return "objects/" + segment(cluster) + "/";
  }

  public static String object(String cluster, BackupFile file) {
    return objects(cluster) + file.object();
  }

  /** Prefix of a cluster's manifests. */
  public static String backups(String cluster) {
    return BACKUPS + segment(cluster) + "/";
  }

  /** Prefix of a backup's manifests. */
  public static String backup(String cluster, String id) {
    return backups(cluster) + id + "/";
  }

  /** The id in the name of a manifest; empty if there is none. */
  public static String idOf(String name) {
    String[] parts = name.split("/", -1);
    return parts.length > 2 ? parts[2] : "";
  }

  /** Prefix of the lists of files that no backup had. */
  public static String garbage(String cluster) {
    return "garbage/" + segment(cluster) + "/";
  }

  public static String garbage(String cluster, Instant found) {
    return garbage(cluster) + TIME.format(found) + ".json";
  }

  public static String sweep(String cluster) {
    return "sweeps/" + segment(cluster) + "/sweep";
  }

  public static String intent(String cluster, String id, String member) {
    return backup(cluster, id) + "intents/" + segment(member) + ".json";
  }

  public static String part(String cluster, String id, String member) {
    return backup(cluster, id) + "members/" + segment(member) + ".json";
  }

  public static String manifest(String cluster, String id) {
    return backup(cluster, id) + "manifest.json";
  }

  /** The complete backup whose manifest has this name. */
  public static Optional<Found> found(String name) {
    Matcher manifest = MANIFEST.matcher(name);
    return manifest.matches()
        ? Optional.of(new Found(text(manifest.group(1)), manifest.group(2)))
        : Optional.empty();
  }

  /**
   * A name as one segment: other bytes than letters, digits, dots and hyphens as _ and two digits.
   */
  private static String segment(String text) {
    StringBuilder segment = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (b & 0xff);
      boolean isDot = letter == '.' && !segment.isEmpty();
      boolean isPlain = letter == '-' || (letter < 0x80 && Character.isLetterOrDigit(letter));
      if (isDot || isPlain) {
        segment.append(letter);
      } else {
        segment.append('_').append(HexFormat.of().toHexDigits(b));
      }
    }
    return segment.toString();
  }

  private static String text(String segment) {
    byte[] bytes = new byte[segment.length()];
    int length = 0;
    for (int at = 0; at < segment.length(); at++) {
      if (segment.charAt(at) == '_' && at + 2 < segment.length()) {
        bytes[length++] = (byte) HexFormat.fromHexDigits(segment, at + 1, at + 3);
        at += 2;
      } else {
        bytes[length++] = (byte) segment.charAt(at);
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
