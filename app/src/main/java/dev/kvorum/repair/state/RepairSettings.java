package dev.kvorum.repair.state;

import dev.kvorum.settings.Bounds;
import dev.kvorum.storage.ScanLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.repair.*}: anti-entropy, the rebuild of an empty store, and the removal of
 * tombstones. All nodes of a cluster use the same values.
 *
 * @param interval time between comparisons with each other member
 * @param settle age from which writes are compared; more than twice {@code
 *     kvorum.limits.request-timeout} and {@code kvorum.clock.max-offset}
 * @param granularity cuts of comparisons are multiples of this
 * @param tombstoneAgeMin how long a tombstone outlives its comparison with all other members; more
 *     than {@code kvorum.hints.age-max}
 * @param horizon a member without a comparison for longer rebuilds; more than {@code interval} and
 *     {@code tombstoneAgeMin}
 * @param timeout longest wait for one reply of a member
 * @param retryMax longest pause before a failed comparison is retried
 * @param rateMax bytes per second read and fetched, 1 KB to 64 GB
 * @param latencyMax p95 of reads from other members above which the rate is halved
 * @param pageRecordsMax records of one page, 1 to 65536
 * @param pageMax bytes of one page, 1 B to 4 MB
 * @param window records fetched or written at a time, 1 to 4096
 * @param rebuildStreams peers from which a member that lost its disk copies at a time, 1 to 64
 * @param copiesMax numbers of copies with a tree of their own, of up to 8 MB; 2 to 127
 * @param droppedMax dropped copies remembered, so that they are not fetched again at once; 1 to
 *     1048576
 */
public record RepairSettings(
    @DefaultValue("10m") Duration interval,
    @DefaultValue("5s") Duration settle,
    @DefaultValue("1s") Duration granularity,
    @DefaultValue("4h") Duration tombstoneAgeMin,
    @DefaultValue("7d") Duration horizon,
    @DefaultValue("30s") Duration timeout,
    @DefaultValue("1m") Duration retryMax,
    @DefaultValue("8MB") DataSize rateMax,
    @DefaultValue("20ms") Duration latencyMax,
    @DefaultValue("1024") int pageRecordsMax,
    @DefaultValue("256KB") DataSize pageMax,
    @DefaultValue("32") int window,
    @DefaultValue("4") int rebuildStreams,
    @DefaultValue("8") int copiesMax,
    @DefaultValue("4096") int droppedMax) {
  public RepairSettings {
    Bounds.positive("kvorum.repair.interval", interval);
    Bounds.positive("kvorum.repair.settle", settle);
    Bounds.positive("kvorum.repair.granularity", granularity);
    Bounds.positive("kvorum.repair.timeout", timeout);
    Bounds.positive("kvorum.repair.retry-max", retryMax);
    Bounds.positive("kvorum.repair.latency-max", latencyMax);
    Bounds.bytes("kvorum.repair.rate-max", rateMax.toBytes(), 1 << 10, 1L << 36);
    Bounds.bytes("kvorum.repair.page-max", pageMax.toBytes(), 1, 4 << 20);
    Bounds.between("kvorum.repair.page-records-max", pageRecordsMax, 1, 1 << 16);
    Bounds.between("kvorum.repair.window", window, 1, 4096);
    Bounds.between("kvorum.repair.rebuild-streams", rebuildStreams, 1, 64);
    Bounds.between("kvorum.repair.copies-max", copiesMax, 2, 127);
    Bounds.between("kvorum.repair.dropped-max", droppedMax, 1, 1 << 20);
  }

  /**
   * Checks the settings against each other and against those of other groups.
   *
   * @throws IllegalArgumentException naming the setting that is too short
   */
  public void check(Duration hintAgeMax, Duration requestTimeout, Duration clockMaxOffset) {
    Bounds.longer(
        "kvorum.repair.horizon", horizon, "kvorum.repair.tombstone-age-min", tombstoneAgeMin);
    Bounds.longer("kvorum.repair.horizon", horizon, "kvorum.repair.interval", interval);
    Bounds.longer(
        "kvorum.repair.tombstone-age-min", tombstoneAgeMin, "kvorum.hints.age-max", hintAgeMax);
    Bounds.longer(
        "kvorum.repair.settle",
        settle,
        "twice kvorum.limits.request-timeout and kvorum.clock.max-offset",
        requestTimeout.plus(clockMaxOffset).multipliedBy(2));
  }

  /** {@code rateMax} in bytes per second. */
  public long bytesPerSecondMax() {
    return rateMax.toBytes();
  }

  /** The bounds of one page. */
  public ScanLimits page() {
    return new ScanLimits(pageRecordsMax, (int) pageMax.toBytes());
  }
}
