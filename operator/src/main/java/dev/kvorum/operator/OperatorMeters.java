package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.report.StatusReport;
import dev.kvorum.operator.view.VolumeView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The meters of reconciliations, steps, leadership and clusters. */
final class OperatorMeters {
  // The bounds of the nodes' histograms, so that one rule reads both.
  private static final Duration[] BOUNDS =
      IntStream.of(
              250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
              1_000_000, 2_500_000)
          .mapToObj(micros -> Duration.ofNanos(micros * 1_000L))
          .toArray(Duration[]::new);

  private static final Set<Class<?>> NO_WRITES =
      Set.of(Step.Wait.class, Step.Reject.class, Step.Rest.class);

  private final MeterRegistry registry;
  private final Timer reconciliations;
  private final Counter failures;
  private final Counter conflicts;
  private final Map<Class<?>, Counter> steps;
  private final Map<Key, ClusterGauges> clusters = new ConcurrentHashMap<>();

  private record Key(String namespace, String name) {}

  OperatorMeters(MeterRegistry registry) {
    this.registry = registry;
    this.reconciliations =
        Timer.builder("kvorum.operator.reconciliations")
            .description("reconciliations of a cluster, each with at most one step")
            .serviceLevelObjectives(BOUNDS)
            .register(registry);
    this.failures =
        Counter.builder("kvorum.operator.failures")
            .description("reconciliations that failed and are retried")
            .register(registry);
    this.conflicts =
        Counter.builder("kvorum.operator.conflicts")
            .description("writes rejected because of a concurrent change")
            .register(registry);
    // Registered at the start: Prometheus sees no increase of a counter that appears with value 1.
    this.steps =
        Arrays.stream(Step.class.getPermittedSubclasses())
            .filter(kind -> !NO_WRITES.contains(kind))
            .collect(Collectors.toUnmodifiableMap(Function.identity(), this::steps));
  }

  private Counter steps(Class<?> kind) {
    return Counter.builder("kvorum.operator.steps")
        .description("steps taken, by kind")
        .tag("step", kind.getSimpleName())
        .register(registry);
  }

  void reconciled(Duration took) {
    reconciliations.record(took);
  }

  void failure() {
    failures.increment();
  }

  void conflict() {
    conflicts.increment();
  }

  /** Counts a step that was a write. */
  void step(Step step) {
    Objects.requireNonNull(steps.get(step.getClass())).increment();
  }

  /** Registers a gauge of whether this operator is the leader. */
  void leader(BooleanSupplier leads) {
    Gauge.builder("kvorum.operator.leader", () -> leads.getAsBoolean() ? 1 : 0)
        .description("1 while this operator is the leader")
        .register(registry);
  }

  /**
   * Sets the gauges of a cluster.
   *
   * @param left the volumes of members that left
   */
  void cluster(
      String namespace,
      String name,
      int wanted,
      KvorumClusterStatus status,
      List<VolumeView> left) {
    ClusterGauges gauges =
        clusters.computeIfAbsent(
            new Key(namespace, name),
            key ->
                new ClusterGauges(
                    registry, Tags.of("namespace", namespace, "kvorum_cluster", name)));
    gauges.members.set(status.members());
    gauges.epoch.set(status.epoch());
    gauges.wanted.set(wanted);
    gauges.leftVolumes.set(left.size());
    gauges.leftBytes.set(left.stream().mapToLong(VolumeView::sizeBytes).sum());
    gauges.ready.set(isTrue(status, "Ready"));
    gauges.degraded.set(isTrue(status, "Degraded"));
    gauges.progressing.set(isTrue(status, "Progressing"));
  }

  private static long isTrue(KvorumClusterStatus status, String condition) {
    return StatusReport.condition(status, condition)
        .filter(it -> it.getStatus().equals("True"))
        .stream()
        .count();
  }

  /** Removes the gauges of deleted clusters, since their deletion triggers no event here. */
  void removeUnless(BiPredicate<String, String> there) {
    for (Key key : clusters.keySet()) {
      if (!there.test(key.namespace(), key.name())) {
        remove(key.namespace(), key.name());
      }
    }
  }

  void remove(String namespace, String name) {
    ClusterGauges gone = clusters.remove(new Key(namespace, name));
    if (gone != null) {
      gone.gauges.forEach(registry::remove);
    }
  }

  /** Gauges of the status of one cluster. */
  private static final class ClusterGauges {
    final AtomicLong members = new AtomicLong();
    final AtomicLong epoch = new AtomicLong();
    final AtomicLong wanted = new AtomicLong();
    final AtomicLong leftVolumes = new AtomicLong();
    final AtomicLong leftBytes = new AtomicLong();
    final AtomicLong ready = new AtomicLong();
    final AtomicLong degraded = new AtomicLong();
    final AtomicLong progressing = new AtomicLong();
    final List<Gauge> gauges;

    ClusterGauges(MeterRegistry registry, Tags tags) {
      gauges =
          List.of(
              gauge(registry, tags, "kvorum.operator.cluster.members", members),
              gauge(registry, tags, "kvorum.operator.cluster.epoch", epoch),
              gauge(registry, tags, "kvorum.operator.cluster.members.wanted", wanted),
              gauge(registry, tags, "kvorum.operator.cluster.left.volumes", leftVolumes),
              gauge(registry, tags, "kvorum.operator.cluster.left.bytes", leftBytes),
              gauge(registry, tags, "kvorum.operator.cluster.ready", ready),
              gauge(registry, tags, "kvorum.operator.cluster.degraded", degraded),
              gauge(registry, tags, "kvorum.operator.cluster.progressing", progressing));
    }

    private static Gauge gauge(MeterRegistry registry, Tags tags, String name, AtomicLong value) {
      return Gauge.builder(name, value, AtomicLong::doubleValue).tags(tags).register(registry);
    }
  }
}
