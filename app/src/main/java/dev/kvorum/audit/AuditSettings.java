package dev.kvorum.audit;

import dev.kvorum.data.Key;
import dev.kvorum.settings.Bounds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.audit.*}: the audit log.
 *
 * @param enabled whether a node with {@code kvorum.auth.file} has one
 * @param file file to which it is appended; empty: standard output
 * @param fileMax size from which the file is renamed to end in {@code .1}, 64 KB to 1 TB
 * @param writes prefixes of keys whose PUT and DELETE are recorded, separated by commas, up to 64;
 *     empty: none
 * @param rejectionsRate records of rejected requests per second, 1 to 100000; more are dropped
 * @param queueMax records that wait to be written, 16 to 1048576; more are dropped
 */
public record AuditSettings(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("") String file,
    @DefaultValue("64MB") DataSize fileMax,
    @DefaultValue List<String> writes,
    @DefaultValue("100") int rejectionsRate,
    @DefaultValue("8192") int queueMax) {
  private static final int PREFIXES_MAX = 64;

  public AuditSettings {
    Bounds.bytes("kvorum.audit.file-max", fileMax.toBytes(), 64 << 10, 1L << 40);
    Bounds.between("number of kvorum.audit.writes", writes.size(), 0, PREFIXES_MAX);
    for (String prefix : writes) {
      int bytes = prefix.getBytes(StandardCharsets.UTF_8).length;
      Bounds.bytes("kvorum.audit.writes '" + prefix + "'", bytes, 1, Key.BYTES_MAX);
    }
    Bounds.between("kvorum.audit.rejections-rate", rejectionsRate, 1, 100_000);
    Bounds.between("kvorum.audit.queue-max", queueMax, 16, 1 << 20);
    writes = List.copyOf(writes);
  }

  /** {@code fileMax} in bytes. */
  long fileBytesMax() {
    return fileMax.toBytes();
  }
}
