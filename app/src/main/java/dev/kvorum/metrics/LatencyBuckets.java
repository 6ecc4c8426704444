package dev.kvorum.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/** The bucket bounds of all duration histograms, so that they can be compared. */
final class LatencyBuckets {
  private static final Duration[] BOUNDS =
      List.of(
              250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
              1_000_000, 2_500_000)
          .stream()
          .map(micros -> Duration.ofNanos(micros * 1_000L))
          .toArray(Duration[]::new);

  private LatencyBuckets() {}

  static Timer timer(MeterRegistry registry, String name, String description, String... tags) {
    return Timer.builder(name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }
}
