package dev.kvorum.rebalance;

import dev.kvorum.settings.Bounds;
import dev.kvorum.storage.ScanLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.rebalance.*}: bounds of a membership change.
 *
 * @param rateMax bytes per second that are read and sent, 1 KB to 64 GB; halved while reads are
 *     slow
 * @param latencyMax p95 of reads from other members above which the rate is halved
 * @param pageRecordsMax records of one page, 1 to 65536
 * @param pageMax bytes of one page, 1 B to 8 MB
 * @param window records written at a time, 1 to 65536
 * @param timeout longest wait for one page of a member
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
