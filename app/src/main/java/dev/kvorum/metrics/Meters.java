package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;

/** All meters of the node with their tags and units. */
public final class Meters {
  private final MeterRegistry registry;
  private final RequestMeters requests;
  private final RpcMeters rpc;
  private final StoreMeters store;
  private final Counter readShortfalls;
  private final Counter writeShortfalls;
  private final Counter rangeShortfalls;
  private final Counter readsShed;
  private final Counter writesShed;
  private final Counter rangesShed;
  private final Counter transferRecords;
  private final Counter transferBytes;
  // Strong references, since Micrometer refers weakly to the sources of its counters.
  private final Queue<DoubleSupplier> polled = new ConcurrentLinkedQueue<>();
  private final Counter hedges;
  private final Counter repairs;
  private final Counter supersededWrites;
  private final Counter rangesComplete;
  private final Counter rangesIncomplete;
  private final Counter rangesCancelled;
  private final Counter rangeRecords;
  private final Counter hintsKept;
  private final Counter hintsDropped;
  private final Counter hintsDelivered;
  private final Counter hintsExpired;
  private final Counter sessionsCompleted;
  private final Counter sessionsFailed;
  private final Counter differencesFound;
  private final Counter recordsRepaired;
  private final Counter repairBytes;
  private final Counter tombstonesPurged;
  private final Counter recordsExpired;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
    requests = new RequestMeters(registry);
    rpc = new RpcMeters(registry);
    store = new StoreMeters(registry);
    readShortfalls = registry.counter("kvorum.quorum.shortfalls", "operation", "read");
    writeShortfalls = registry.counter("kvorum.quorum.shortfalls", "operation", "write");
    rangeShortfalls = registry.counter("kvorum.quorum.shortfalls", "operation", "range");
    readsShed = registry.counter("kvorum.admission.shed", "kind", "read");
    writesShed = registry.counter("kvorum.admission.shed", "kind", "write");
    rangesShed = registry.counter("kvorum.admission.shed", "kind", "range");
    transferRecords = registry.counter("kvorum.transfer.records");
    transferBytes = Counter.builder("kvorum.transfer").baseUnit("bytes").register(registry);
    hedges = registry.counter("kvorum.reads.hedged");
    repairs = registry.counter("kvorum.reads.repaired");
    supersededWrites = registry.counter("kvorum.writes.superseded");
    rangesComplete = registry.counter("kvorum.ranges", "outcome", "complete");
    rangesIncomplete = registry.counter("kvorum.ranges", "outcome", "incomplete");
    rangesCancelled = registry.counter("kvorum.ranges", "outcome", "cancelled");
    rangeRecords = registry.counter("kvorum.ranges.records");
    hintsKept = registry.counter("kvorum.hints.kept");
    hintsDropped = registry.counter("kvorum.hints.dropped");
    hintsDelivered = registry.counter("kvorum.hints.delivered");
    hintsExpired = registry.counter("kvorum.hints.expired");
    sessionsCompleted = registry.counter("kvorum.repair.sessions", "outcome", "completed");
    sessionsFailed = registry.counter("kvorum.repair.sessions", "outcome", "failed");
    differencesFound = registry.counter("kvorum.repair.differences");
    recordsRepaired = registry.counter("kvorum.repair.records");
    repairBytes = Counter.builder("kvorum.repair").baseUnit("bytes").register(registry);
    tombstonesPurged = registry.counter("kvorum.repair.tombstones.purged");
    recordsExpired = registry.counter("kvorum.repair.records.expired");
  }

  /** Registers a number that is polled, on any thread; the supplier must not wait for long. */
  public void show(PolledMeter meter, DoubleSupplier value, String... tags) {
    if (meter.grows()) {
      polled.add(value);
      FunctionCounter.builder(meter.meter(), value, DoubleSupplier::getAsDouble)
          .description(meter.description())
          .baseUnit(meter.unit())
          .tags(tags)
          .register(registry);
    } else {
      Gauge.builder(meter.meter(), value::getAsDouble)
          .description(meter.description())
          .baseUnit(meter.unit())
          .tags(tags)
          .register(registry);
    }
  }

  /** Meters of clients' requests. */
  public RequestMeters requests() {
    return requests;
  }

  /** Meters of requests to peers. */
  public RpcMeters rpc() {
    return rpc;
  }

  /** Meters of the group commit. */
  public StoreMeters store() {
    return store;
  }

  /** Counts a read to which too few replicas replied in time. */
  public void readShortfall() {
    readShortfalls.increment();
  }

  /** Counts a write that too few replicas confirmed in time. */
  public void writeShortfall() {
    writeShortfalls.increment();
  }

  /** Counts a read rejected before any work. */
  public void readShed() {
    readsShed.increment();
  }

  /** Counts a write rejected before any work. */
  public void writeShed() {
    writesShed.increment();
  }

  /** Counts a range read rejected before any work. */
  public void rangeShed() {
    rangesShed.increment();
  }

  /** Counts received records that this node gains in a membership change. */
  public void transferred(int records, long bytes) {
    transferRecords.increment(records);
    transferBytes.increment((double) bytes);
  }

  /** Counts a read that asked another replica because one was slow. */
  public void hedged() {
    hedges.increment();
  }

  /** Counts a read that found stale replicas. */
  public void repaired() {
    repairs.increment();
  }

  /** Counts a write that found a newer version and is repeated with a version above it. */
  public void superseded() {
    supersededWrites.increment();
  }

  /** Counts a range that was read to its end, or ended incomplete. */
  public void rangeRead(boolean complete) {
    (complete ? rangesComplete : rangesIncomplete).increment();
    if (!complete) {
      rangeShortfalls.increment();
    }
  }

  /** Counts a range whose client disconnected before its end. */
  public void rangeCancelled() {
    rangesCancelled.increment();
  }

  /** Counts records of ranges that were sent to clients. */
  public void rangeRecords(int records) {
    rangeRecords.increment(records);
  }

  /** Counts a mutation for a replica that did not store it: kept as a hint or dropped. */
  public void hint(boolean kept) {
    (kept ? hintsKept : hintsDropped).increment();
  }

  /** Counts a hint delivered to its replica. */
  public void hintDelivered() {
    hintsDelivered.increment();
  }

  /** Counts a hint that was too old to be delivered. */
  public void hintExpired() {
    hintsExpired.increment();
  }

  /**
   * Counts the end of a repair session with a peer; completed if this node has all that the peer
   * has.
   */
  public void repairSession(boolean completed) {
    (completed ? sessionsCompleted : sessionsFailed).increment();
  }

  /** Counts a newer record found on another replica. */
  public void differenceFound() {
    differencesFound.increment();
  }

  /** Counts a record received from another replica by anti-entropy or a rebuild. */
  public void recordRepaired() {
    recordsRepaired.increment();
  }

  /** Counts bytes read or fetched by background work. */
  public void repairBytes(long bytes) {
    repairBytes.increment((double) bytes);
  }

  /** Counts the removal of a tombstone that no member needs any more. */
  public void tombstoneRemoved() {
    tombstonesPurged.increment();
  }

  /** Counts an expired record that became a tombstone. */
  public void recordExpired() {
    recordsExpired.increment();
  }
}
