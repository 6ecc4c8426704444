package dev.kvorum.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What keeps the nodes equal in the background: anti-entropy, the rebuild after a lost disk, the
 * end of tombstones. The same on all nodes of a cluster.
 *
 * @param interval how often a node compares itself with each other one
 * @param settle age at which a write is no longer under way; only what is older is compared
 * @param granularity cuts of comparisons are multiples of this
 * @param tombstoneAgeMin for how long a tombstone outlives its comparison with every other node;
 *     more than {@code kvorum.hints.age-max}, so that no hint is left that it would have to stop
 * @param horizon a node that has not compared itself for longer has to rebuild
 * @param timeout how long a node may take for one answer
 * @param retryMax longest pause before a comparison that failed is tried again
 * @param rateMax bytes a second that are read and fetched at most
 * @param latencyMax p95 of reads from other nodes above which the rate is halved
 * @param pageRecordsMax records looked at in one go
 * @param pageMax their bytes
 * @param window records fetched or written at a time
 * @param copiesMax distinct numbers of copies with a tree of their own, each in up to 8 MB of
 *     memory
 * @param droppedMax dropped copies that are cached, so as not to be fetched again at once
 */
public record RepairProperties(
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
    @DefaultValue("8") int copiesMax,
    @DefaultValue("4096") int droppedMax) {
  public RepairProperties {
    Bounds.positive("kvorum.repair.interval", interval);
    Bounds.positive("kvorum.repair.settle", settle);
    Bounds.positive("kvorum.repair.granularity", granularity);
    Bounds.positive("kvorum.repair.timeout", timeout);
    Bounds.positive("kvorum.repair.retry-max", retryMax);
    Bounds.positive("kvorum.repair.latency-max", latencyMax);
    Bounds.bytes("kvorum.repair.rate-max", rateMax, 1 << 10, 1L << 36);
    Bounds.bytes("kvorum.repair.page-max", pageMax, 1, 4 << 20);
    Bounds.between("kvorum.repair.page-records-max", pageRecordsMax, 1, 1 << 16);
    Bounds.between("kvorum.repair.window", window, 1, 4096);
    Bounds.between("kvorum.repair.copies-max", copiesMax, 2, 127);
    Bounds.between("kvorum.repair.dropped-max", droppedMax, 1, 1 << 20);
    Bounds.longer(
        "kvorum.repair.horizon", horizon, "kvorum.repair.tombstone-age-min", tombstoneAgeMin);
    Bounds.longer("kvorum.repair.horizon", horizon, "kvorum.repair.interval", interval);
  }

  /** Checks what depends on other settings. */
  void check(Duration hintAgeMax, Duration requestTimeout, Duration clockMaxOffset) {
    Bounds.longer(
        "kvorum.repair.tombstone-age-min", tombstoneAgeMin, "kvorum.hints.age-max", hintAgeMax);
    Bounds.longer(
        "kvorum.repair.settle",
        settle,
        "twice kvorum.limits.request-timeout and kvorum.clock.max-offset",
        requestTimeout.plus(clockMaxOffset).multipliedBy(2));
  }
}
