package dev.kvorum.config;

import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.storage.ScanLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Bounds of what a change of the members may cost.
 *
 * @param rateMax bytes a second read to be sent; halved while reads are slow
 * @param latencyMax p95 of reads from other nodes above which the rate is halved
 * @param pageRecordsMax records looked at in one go
 * @param pageMax their bytes
 * @param window records stored at a time
 * @param timeout how long a member may take for one page
 */
public record RebalanceProperties(
    @DefaultValue("64MB") DataSize rateMax,
    @DefaultValue("50ms") Duration latencyMax,
    @DefaultValue("4096") int pageRecordsMax,
    @DefaultValue("1MB") DataSize pageMax,
    @DefaultValue("512") int window,
    @DefaultValue("30s") Duration timeout) {
  public RebalanceProperties {
    Bounds.bytes("kvorum.rebalance.rate-max", rateMax, 1 << 10, 1L << 36);
    Bounds.positive("kvorum.rebalance.latency-max", latencyMax);
    Bounds.between("kvorum.rebalance.page-records-max", pageRecordsMax, 1, 1 << 16);
    Bounds.bytes("kvorum.rebalance.page-max", pageMax, 1, 8 << 20);
    Bounds.between("kvorum.rebalance.window", window, 1, 1 << 16);
    Bounds.positive("kvorum.rebalance.timeout", timeout);
  }

  RebalanceSettings settings() {
    return new RebalanceSettings(
        rateMax.toBytes(),
        latencyMax,
        new ScanLimits(pageRecordsMax, (int) pageMax.toBytes()),
        window,
        timeout);
  }
}
