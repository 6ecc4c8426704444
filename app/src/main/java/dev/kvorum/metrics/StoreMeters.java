package dev.kvorum.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The group commit as its writer thread sees it. */
public final class StoreMeters {
  private final Timer sync;
  private final DistributionSummary writes;

  StoreMeters(MeterRegistry registry) {
    sync =
        Buckets.timer(
            registry,
            "kvorum.store.sync",
            "one batch, from its first write's leaving the queue to the last answer");
    writes =
        DistributionSummary.builder("kvorum.store.batch.writes")
            .description("writes that shared a batch")
            .register(registry);
  }

  /** A batch was written and answered. */
  public void committed(int writesOfIt, long nanos) {
    sync.record(nanos, TimeUnit.NANOSECONDS);
    writes.record(writesOfIt);
  }
}
