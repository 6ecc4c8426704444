package dev.kvorum.storage.rocks;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Corruption to one file of a store whose files were all synced: what no power loss explains. */
final class DiskCorruption {
  private static final int PAGE = 4096;

  private final RandomGenerator random;
  private String description = "";

  DiskCorruption(RandomGenerator random) {
    this.random = random;
  }

  private enum Kind {
    FLIP,
    ZERO_PAGE,
    FOREIGN_PAGE,
    OLD_PAGE,
    CUT,
    DELETE
  }

  /** What was done to the last image, for a report. */
  String description() {
    return description;
  }

  /**
   * A corrupted copy.
   *
   * @param before an older state of the same disk, for writes that were lost
   */
  DiskImage of(DiskImage sound, DiskImage before) {
    DiskImage damaged = new DiskImage(sound);
    List<String> names = List.copyOf(sound.files().keySet());
    String name = names.get(random.nextInt(names.size()));
    byte[] bytes = sound.file(name).orElseThrow().clone();
    Kind kind =
        bytes.length == 0 ? Kind.DELETE : Kind.values()[random.nextInt(Kind.values().length)];
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    int page = at / PAGE * PAGE;
    int end = Math.min(bytes.length, page + PAGE);
    description = "%s of %s (%d bytes) at %d".formatted(kind, name, bytes.length, at);
    switch (kind) {
      case FLIP -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case ZERO_PAGE -> Arrays.fill(bytes, page, end, (byte) 0);
      case FOREIGN_PAGE -> {
        byte[] foreign = new byte[end - page];
        random.nextBytes(foreign);
        System.arraycopy(foreign, 0, bytes, page, foreign.length);
      }
      case OLD_PAGE -> {
        byte[] old = Arrays.copyOf(before.file(name).orElse(new byte[0]), bytes.length);
        System.arraycopy(old, page, bytes, page, end - page);
      }
      case CUT -> bytes = Arrays.copyOf(bytes, at);
      case DELETE -> damaged.remove(name);
    }
    if (kind != Kind.DELETE) {
      damaged.put(name, bytes);
    }
    return damaged;
  }
}
