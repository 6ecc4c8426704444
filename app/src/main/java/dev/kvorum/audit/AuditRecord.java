package dev.kvorum.audit;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of the audit log.
 *
 * @param user name of the user, if it is known
 * @param address where the request came from
 * @param operation that of the API for keys, or method and path
 * @param target the key, the bounds of the range, or nothing
 * @param status status of the response; 0: there was none
 * @param outcome outcome of the request, as in its metric
 */
public record AuditRecord(
    Instant time,
    Event event,
    Optional<String> user,
    Optional<InetAddress> address,
    String operation,
    Map<String, String> target,
    int status,
    String outcome) {
  private static final String KEY = "key";
  private static final String FROM = "from";
  private static final String BEFORE = "before";
  private static final List<String> TARGET_FIELDS = List.of(KEY, FROM, BEFORE);

  /** What has happened. */
  public enum Event {
    /** Credentials were wrong, or were not looked at after too many wrong ones. */
    CREDENTIALS,
    /** The user, or who gave no credentials, may not do this. */
    DENIED,
    /** A change of this node or of a key was asked for at the management port. */
    ADMINISTRATION,
    /** A key with one of the chosen prefixes was written or deleted, or not. */
    WRITE;

    private final String label = name().toLowerCase(Locale.ROOT);
  }

  public AuditRecord {
    target = Map.copyOf(target);
  }

  /** A request for a key. */
  public static Map<String, String> targetOf(Key key) {
    return Map.of(KEY, key.toString());
  }

  /** A request for a key that may be none, of which only so much is recorded as a key can have. */
  public static Map<String, String> targetOf(String text) {
    return Map.of(KEY, text.substring(0, Math.min(text.length(), Key.BYTES_MAX)));
  }

  /** A request for a range; open bounds are empty. */
  public static Map<String, String> targetOf(KeyRange range) {
    return Map.of(
        FROM, range.start().map(Key::toString).orElse(""),
        BEFORE, range.end().map(Key::toString).orElse(""));
  }

  /** This record as JSON, with a newline at its end. */
  byte[] line() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("logger", "kvorum.audit");
    fields.put("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
    fields.put("event", event.label);
    user.ifPresent(name -> fields.put("user", name));
    address.ifPresent(from -> fields.put("address", from.getHostAddress()));
    fields.put("operation", operation);
    for (String name : TARGET_FIELDS) {
      if (target.containsKey(name)) {
        fields.put(name, target.get(name));
      }
    }
    if (status != 0) {
      fields.put("status", status);
    }
    fields.put("outcome", outcome);
    String json = JsonMapper.shared().writeValueAsString(fields);
    return (json + '\n').getBytes(StandardCharsets.UTF_8);
  }
}
