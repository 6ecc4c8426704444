package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Every meter of the node with its tags and units. */
public final class Meters {
  private final Counter hedges;
  private final Counter repairs;
  private final Counter supersededWrites;
  private final Counter hintsKept;
  private final Counter hintsDropped;
  private final Counter hintsDelivered;
  private final Counter hintsExpired;
  private final Counter pullsCompleted;
  private final Counter pullsFailed;
  private final Counter differencesFound;
  private final Counter recordsRepaired;
  private final Counter repairBytes;
  private final Counter tombstonesRemoved;
  private final Counter recordsEntombed;

  public Meters(MeterRegistry registry) {
    hedges = registry.counter("kvorum.reads.hedged");
    repairs = registry.counter("kvorum.reads.repaired");
    supersededWrites = registry.counter("kvorum.writes.superseded");
    hintsKept = registry.counter("kvorum.hints.kept");
    hintsDropped = registry.counter("kvorum.hints.dropped");
    hintsDelivered = registry.counter("kvorum.hints.delivered");
    hintsExpired = registry.counter("kvorum.hints.expired");
    pullsCompleted = registry.counter("kvorum.repair.pulls.completed");
    pullsFailed = registry.counter("kvorum.repair.pulls.failed");
    differencesFound = registry.counter("kvorum.repair.differences");
    recordsRepaired = registry.counter("kvorum.repair.records");
    repairBytes = Counter.builder("kvorum.repair").baseUnit("bytes").register(registry);
    tombstonesRemoved = registry.counter("kvorum.repair.tombstones.removed");
    recordsEntombed = registry.counter("kvorum.repair.records.entombed");
  }

  /** A second replica was asked because the first was slow. */
  public void hedged() {
    hedges.increment();
  }

  /** A read found replicas that were behind. */
  public void repaired() {
    repairs.increment();
  }

  /** A write met a newer version on its quorum and is tried again above it. */
  public void superseded() {
    supersededWrites.increment();
  }

  /** A mutation was, or could not be, kept for a replica that did not take it. */
  public void hint(boolean kept) {
    (kept ? hintsKept : hintsDropped).increment();
  }

  /** A hint reached its replica. */
  public void hintDelivered() {
    hintsDelivered.increment();
  }

  /** A hint was too old to be delivered. */
  public void hintExpired() {
    hintsExpired.increment();
  }

  /** This node made itself equal to another one, or could not. */
  public void pull(boolean completed) {
    (completed ? pullsCompleted : pullsFailed).increment();
  }

  /** Another replica has a newer record than this node. */
  public void differenceFound() {
    differencesFound.increment();
  }

  /** A record was taken over from another replica by anti-entropy or while rebuilding. */
  public void recordRepaired() {
    recordsRepaired.increment();
  }

  /** So many bytes were read, or fetched, in the background. */
  public void repairBytes(long bytes) {
    repairBytes.increment((double) bytes);
  }

  /** A tombstone that nobody needs any more was removed. */
  public void tombstoneRemoved() {
    tombstonesRemoved.increment();
  }

  /** An expired record became a tombstone. */
  public void recordEntombed() {
    recordsEntombed.increment();
  }
}
