package dev.kvorum.rebalance;

import dev.kvorum.settings.Bounds;
import dev.kvorum.storage.ScanLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of the work for a membership change.
 *
 * @param bytesPerSecondMax largest rate at which data is read for sending
 * @param latencyMax read latency, at the 95th percentile, above which the rate is reduced
 * @param page records and bytes scanned at a time
 * @param window records stored at a time
 * @param timeout longest time for one page of a member
 */
public record RebalanceSettings(
    @DefaultValue("64MB") DataSize rateMax,
    @DefaultValue("50ms") Duration latencyMax,
    @DefaultValue("4096") int pageRecordsMax,
    @DefaultValue("1MB") DataSize pageMax,
    @DefaultValue("512") int window,
    @DefaultValue("30s") Duration timeout) {
  public RebalanceSettings {
    Bounds.bytes("kvorum.rebalance.rate-max", rateMax.toBytes(), 1 << 10, 1L << 36);
    Bounds.positive("kvorum.rebalance.latency-max", latencyMax);
    Bounds.between("kvorum.rebalance.page-records-max", pageRecordsMax, 1, 1 << 16);
    Bounds.bytes("kvorum.rebalance.page-max", pageMax.toBytes(), 1, 8 << 20);
    Bounds.between("kvorum.rebalance.window", window, 1, 1 << 16);
    Bounds.positive("kvorum.rebalance.timeout", timeout);
  }

  /** {@code rateMax} in bytes per second. */
  long bytesPerSecondMax() {
    return rateMax.toBytes();
  }

  /** The bounds of one page. */
  ScanLimits page() {
    return new ScanLimits(pageRecordsMax, (int) pageMax.toBytes());
  }
}
