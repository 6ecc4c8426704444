package dev.kvorum.coordinator;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.range.*}: reads of ranges. Each read holds at most two pages of each
 * member in memory, or one record that is larger than a page.
 *
 * @param streamsMax ranges at a time, 1 to 65536; one more is 503
 * @param pageRecords records of one page, 1 to 65536
 * @param pageBytes bytes of one page, 1 B to 4 MB; a larger record is a page of its own
 * @param pageTimeout longest wait for one page, retries included; then the member is left out
 * @param idleTimeout time without progress; then the client is disconnected
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

  /** Bytes that one read holds at most, but for records that are larger than a page. */
  public long bytesHeldMax(int members) {
    return 2L * members * pageBytes.toBytes();
  }
}
