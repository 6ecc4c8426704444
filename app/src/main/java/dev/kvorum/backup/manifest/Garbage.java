package dev.kvorum.backup.manifest;

import java.time.Instant;
import java.util.List;

/**
 * Files that no backup had when they were looked for. Those that still none has a day later are
 * deleted.
 *
 * @param format {@link Manifests#FORMAT}
 * @param objects their names below {@code objects/[cluster]/}
 */
public record Garbage(int format, Instant found, List<String> objects) {
  public Garbage {
    objects = List.copyOf(objects);
  }
}
