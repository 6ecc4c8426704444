package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadResult;
import dev.kvorum.operator.loadtest.plan.Wrk2Units;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * Exports the results of the existing load tests as metrics. Their number is bounded: a load test
 * has at most 20 steps with at most 10 values each. Rates and latencies have exactly the digits of
 * wrk2's console, so that a dashboard rounds them in the same way.
 */
final class LoadTestMeters {
  /** Quantiles in the notation of Prometheus, mapped to the percentiles of wrk2. */
  private static final Map<String, String> QUANTILES =
      Map.of(
          "0.5", "50", "0.9", "90", "0.99", "99", "0.999", "99.9", "0.9999", "99.99", "0.99999",
          "99.999");

  private final MeterRegistry registry;
  private final Map<Key, Shown> tests = new ConcurrentHashMap<>();

  LoadTestMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  private record Key(String namespace, String name) {}

  /** The meters of one load test. */
  private static final class Shown {
    final String uid;
    final Map<Meter.Id, Meter> meters = new ConcurrentHashMap<>();
    volatile double running;

    Shown(String uid) {
      this.uid = uid;
    }
  }

  void show(String namespace, String name, KvorumLoadTestSpec spec, KvorumLoadTestStatus status) {
    // A new load test of the same name must not show the results of the previous one.
    String uid = spec.cluster() + status.startedAt();
    Key key = new Key(namespace, name);
    Shown shown = tests.get(key);
    if (shown != null && !shown.uid.equals(uid)) {
      remove(namespace, name);
    }
    Shown now = tests.computeIfAbsent(key, it -> new Shown(uid));
    Tags tags = Tags.of("namespace", namespace, "loadtest", name, "kvorum_cluster", spec.cluster());
    now.running = status.started() && !status.ended() ? 1 : 0;
    gauge(now, "running", tags, () -> now.running, "1 while it runs");
    for (LoadResult result : status.results()) {
      step(now, tags.and("step", result.step().toString()), result);
    }
    if (status.knee() != null) {
      double knee = status.knee();
      gauge(
          now,
          "knee.rate",
          tags,
          () -> knee,
          "the highest offered rate of a sweep that was met with p99 in bounds");
    }
  }

  private void step(Shown shown, Tags tags, LoadResult result) {
    double offered = result.offered();
    double errors = result.errors().total();
    double requests = result.requests();
    double achieved = Wrk2Units.rate(result.requests(), result.seconds());
    gauge(shown, "offered.rate", tags, () -> offered, "requests a second that wrk2 offered");
    gauge(shown, "achieved.rate", tags, () -> achieved, "requests a second that completed");
    gauge(
        shown,
        "errors",
        tags,
        () -> errors,
        "answers other than 2xx and 404, broken connections and timeouts");
    gauge(shown, "requests", tags, () -> requests, "requests answered");
    QUANTILES.forEach((quantile, percentile) -> {
      double seconds = Wrk2Units.seconds(result.micros(percentile));
      gauge(
          shown,
          "latency.seconds",
          tags.and("quantile", quantile),
          () -> seconds,
          "latencies measured by wrk2");
    });
  }

  private void gauge(
      Shown shown, String name, Tags tags, Supplier<Number> value, String description) {
    Gauge gauge =
        Gauge.builder("kvorum.loadtest." + name, value)
            .description(description)
            .tags(tags)
            .register(registry);
    shown.meters.put(gauge.getId(), gauge);
  }

  void remove(String namespace, String name) {
    Shown gone = tests.remove(new Key(namespace, name));
    if (gone != null) {
      gone.meters.values().forEach(registry::remove);
    }
  }

  /** Removes the meters of deleted load tests, since their deletion triggers no event here. */
  void removeUnless(BiPredicate<String, String> there) {
    for (Key key : tests.keySet()) {
      if (!there.test(key.namespace(), key.name())) {
        remove(key.namespace(), key.name());
      }
    }
  }
}
