package dev.kvorum.coordinator;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of a range read.
 *
 * @param replication copies of a record whose writer did not set {@code from}
 * @param pageRecords largest number of records in a member's page and in an emitted part
 * @param pageBytes largest size of a page or part in bytes; a larger record is sent alone
 * @param pageTimeout longest time for one page of one member, including retries
 */
public record RangeSettings(
    @DefaultValue("8") int streamsMax,
    @DefaultValue("256") int pageRecords,
    @DefaultValue("64KB") DataSize pageBytes,
    @DefaultValue("3s") Duration pageTimeout,
    @DefaultValue("30s") Duration idleTimeout) {
  public RangeSettings {
    Bounds.between("kvorum.range.streams-max", streamsMax, 1, 65_536);
    Bounds.between("kvorum.range.page-records", pageRecords, 1, 65_536);
    Bounds.bytes("kvorum.range.page-bytes", pageBytes.toBytes(), 1, 4 << 20);
    Bounds.positive("kvorum.range.page-timeout", pageTimeout);
    Bounds.positive("kvorum.range.idle-timeout", idleTimeout);
  }

  /** {@code pageBytes} in bytes. */
  int pageBytesMax() {
    return (int) pageBytes.toBytes();
  }
}
