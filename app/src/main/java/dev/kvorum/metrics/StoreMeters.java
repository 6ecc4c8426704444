package dev.kvorum.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Meters of the group commit, recorded by its writer thread. */
public final class StoreMeters {
  private final Timer commit;
  private final DistributionSummary writes;

  StoreMeters(MeterRegistry registry) {
    commit =
        LatencyBuckets.timer(
            registry,
            "kvorum.store.commit",
            "commit of one batch, from the dequeue of its first write to the last reply");
    writes =
        DistributionSummary.builder("kvorum.store.batch.writes")
            .description("writes that shared a batch")
            .register(registry);
  }

  /** Records a batch that was written and replied to. */
  public void committed(int writesOfIt, long nanos) {
    commit.record(nanos, TimeUnit.NANOSECONDS);
    writes.record(writesOfIt);
  }
}
