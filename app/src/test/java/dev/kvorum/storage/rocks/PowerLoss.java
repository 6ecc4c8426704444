package dev.kvorum.storage.rocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a disk may hold after a power loss: all that was synced, and of what was written since any
 * subset of sectors, in any order, with any length a file had in between.
 *
 * <p>Names of files are taken to be durable as soon as they are made or not at all; tables and
 * manifest keep to the order in which RocksDB syncs them.
 */
final class PowerLoss {
  private static final int SECTOR = 512;
  private static final int PAGE = 4096;

  private final RandomGenerator random;
  private final List<String> choices = new ArrayList<>();

  /** How far the changes of the manifest got. */
  private enum Manifest {
    OLD,
    TORN,
    NEW;

    static Manifest any(RandomGenerator random) {
      return values()[random.nextInt(values().length)];
    }
  }

  PowerLoss(RandomGenerator random) {
    this.random = random;
  }

  /** What was chosen for the last image, for a report. */
  List<String> choices() {
    return choices;
  }

  /**
   * One image.
   *
   * @param synced all that is durable
   * @param now all that was written
   * @param marks what {@code SYNCED} may hold, each by itself a state of the file since its sync
   */
  DiskImage image(DiskImage synced, DiskImage now, List<byte[]> marks) {
    choices.clear();
    DiskImage image = new DiskImage();
    // Tables and closed logs are synced before the manifest that names them is written to, and old
    // files are deleted after it is synced.
    Manifest manifest = isChanged(synced, now) ? Manifest.any(random) : Manifest.OLD;
    choices.add(manifest + " manifest");
    Optional<String> reused = reused(synced, now);
    for (String name : names(synced, now)) {
      byte @Nullable [] before = synced.file(name).orElse(null);
      byte @Nullable [] after = now.file(name).orElse(null);
      if (name.equals(SyncedSequence.FILE)) {
        image.put(name, mark(marks));
      } else if (DiskImage.isLog(name)) {
        log(image, name, before, after, manifest, reused.flatMap(synced::file).orElse(null));
      } else {
        other(image, name, before, after, manifest);
      }
    }
    reused
        .filter(name -> hasNewLog(synced, image))
        .ifPresent(name -> {
          choices.add(name + " was reused");
          image.remove(name);
        });
    return image;
  }

  /** Each of the two slots of the file as it was at any time. */
  private byte[] mark(List<byte[]> marks) {
    byte[] mark = marks.get(random.nextInt(marks.size())).clone();
    byte[] other = marks.get(random.nextInt(marks.size()));
    System.arraycopy(other, PAGE, mark, PAGE, other.length - PAGE);
    return mark;
  }

  private static boolean isChanged(DiskImage synced, DiskImage now) {
    return now.files().entrySet().stream()
        .filter(file -> file.getKey().startsWith("MANIFEST"))
        .anyMatch(file ->
            !Arrays.equals(file.getValue(), synced.file(file.getKey()).orElse(new byte[0])));
  }

  /** The names of all files in either state. */
  static List<String> names(DiskImage synced, DiskImage now) {
    List<String> names = new ArrayList<>(synced.files().keySet());
    now.files().keySet().stream().filter(name -> !names.contains(name)).forEach(names::add);
    return names;
  }

  private static boolean hasNewLog(DiskImage synced, DiskImage image) {
    return image.files().keySet().stream()
        .anyMatch(name -> DiskImage.isLog(name) && synced.file(name).isEmpty());
  }

  /** The log that was renamed to be written over, if one was. */
  private static Optional<String> reused(DiskImage synced, DiskImage now) {
    return hasNewLog(synced, now)
        ? synced.files().keySet().stream()
            .filter(DiskImage::isLog)
            .filter(name -> now.file(name).isEmpty())
            .findFirst()
        : Optional.empty();
  }

  private void other(
      DiskImage image,
      String name,
      byte @Nullable [] before,
      byte @Nullable [] after,
      Manifest manifest) {
    if (after == null) {
      if (before != null && (manifest != Manifest.NEW || random.nextBoolean())) {
        image.put(name, before);
      }
    } else if (manifest == Manifest.NEW || (manifest == Manifest.TORN && before == null)) {
      image.put(name, after);
    } else if (before != null) {
      image.put(name, manifest == Manifest.TORN ? torn(name, before, after) : before);
    } else if (random.nextBoolean()) {
      image.put(name, torn(name, new byte[0], after));
    }
  }

  private void log(
      DiskImage image,
      String name,
      byte @Nullable [] before,
      byte @Nullable [] after,
      Manifest manifest,
      byte @Nullable [] reused) {
    if (after == null) {
      if (before != null && (manifest != Manifest.NEW || random.nextBoolean())) {
        image.put(name, before);
      }
    } else if (before != null) {
      image.put(name, manifest == Manifest.OLD ? torn(name, before, after) : after);
    } else if (random.nextInt(4) > 0) {
      image.put(name, torn(name, reused == null ? new byte[0] : reused, after));
    }
  }

  /** All of what was synced, and any of what was written since. */
  private byte[] torn(String name, byte[] before, byte[] after) {
    if (Arrays.equals(before, after)) {
      return after;
    }
    int unit = random.nextBoolean() ? SECTOR : PAGE;
    // Few, half or most of them arrived.
    double share = new double[] {0, 0.1, 0.5, 0.9, 1}[random.nextInt(5)];
    int length = length(before.length, after.length);
    byte[] torn = Arrays.copyOf(before, length);
    int written = 0;
    for (int at = 0; at < length; at += unit) {
      int end = Math.min(length, at + unit);
      if (at < after.length && random.nextDouble() < share) {
        // What the file did not have yet is zeros, or what the blocks held before.
        int known = Math.min(end, after.length);
        System.arraycopy(after, at, torn, at, known - at);
        written++;
      } else if (at >= before.length && random.nextInt(8) == 0) {
        fill(torn, at, end);
      }
    }
    choices.add(
        "%s: %d of %d bytes, then %d, %d times %d bytes written"
            .formatted(name, before.length, after.length, length, written, unit));
    return torn;
  }

  /** Blocks that were allocated and not written yet may show what another file had there. */
  private void fill(byte[] bytes, int from, int to) {
    byte[] old = new byte[to - from];
    random.nextBytes(old);
    System.arraycopy(old, 0, bytes, from, old.length);
  }

  private int length(int before, int after) {
    if (after <= before) {
      // Logs that are written over keep their length.
      return before;
    }
    return switch (random.nextInt(3)) {
      case 0 -> after;
      case 1 -> before + random.nextInt(after - before + 1);
      // Blocks are allocated ahead.
      default -> after + random.nextInt(2 * PAGE);
    };
  }
}
