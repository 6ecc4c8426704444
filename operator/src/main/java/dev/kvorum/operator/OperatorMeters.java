package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.report.StatusReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every meter of the operator. */
final class OperatorMeters {
  private final MeterRegistry registry;
  private final Timer reconciliations;
  private final Counter failures;
  private final Counter conflicts;
  private final Map<String, ClusterGauges> clusters = new ConcurrentHashMap<>();

  OperatorMeters(MeterRegistry registry) {
    this.registry = registry;
    this.reconciliations =
        Timer.builder("kvorum.operator.reconciliations")
            .description("looks at a cluster, each with at most one step")
            .register(registry);
    this.failures =
        Counter.builder("kvorum.operator.failures")
            .description("looks that ended in an error and are tried again")
            .register(registry);
    this.conflicts =
        Counter.builder("kvorum.operator.conflicts")
            .description("writes refused since somebody else had written meanwhile")
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

  void step(Step step) {
    Counter.builder("kvorum.operator.steps")
        .description("steps taken, by kind")
        .tag("step", step.getClass().getSimpleName())
        .register(registry)
        .increment();
  }

  void cluster(String namespace, String name, KvorumClusterStatus status) {
    ClusterGauges gauges =
        clusters.computeIfAbsent(
            namespace + "/" + name,
            key -> new ClusterGauges(registry, Tags.of("namespace", namespace, "cluster", name)));
    gauges.members.set(status.members());
    gauges.epoch.set(status.epoch());
    gauges.ready.set(
        StatusReport.condition(status, "Ready").filter(it -> it.getStatus().equals("True")).stream()
            .count());
  }

  void forget(String namespace, String name) {
    ClusterGauges gone = clusters.remove(namespace + "/" + name);
    if (gone != null) {
      gone.gauges.forEach(registry::remove);
    }
  }

  /** What a cluster's status says, as numbers. */
  private static final class ClusterGauges {
    final AtomicLong members = new AtomicLong();
    final AtomicLong epoch = new AtomicLong();
    final AtomicLong ready = new AtomicLong();
    final List<Gauge> gauges;

    ClusterGauges(MeterRegistry registry, Tags tags) {
      gauges =
          List.of(
              gauge(registry, tags, "kvorum.operator.cluster.members", members),
              gauge(registry, tags, "kvorum.operator.cluster.epoch", epoch),
              gauge(registry, tags, "kvorum.operator.cluster.ready", ready));
    }

    private static Gauge gauge(MeterRegistry registry, Tags tags, String name, AtomicLong value) {
      return Gauge.builder(name, value, AtomicLong::doubleValue).tags(tags).register(registry);
    }
  }
}
