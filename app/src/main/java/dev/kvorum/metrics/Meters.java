package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;

/** Every meter of the node with its tags and units. */
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
  // Micrometer keeps what a counter reads from weakly.
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
  private final Counter tombstonesRemoved;
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
    tombstonesRemoved = registry.counter("kvorum.repair.tombstones.removed");
    recordsExpired = registry.counter("kvorum.repair.records.expired");
  }

  /** Shows a number that is looked up, on whatever thread asks; it must not wait for long. */
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

  /** Clients' requests. */
  public RequestMeters requests() {
    return requests;
  }

  /** Requests to the other members. */
  public RpcMeters rpc() {
    return rpc;
  }

  /** The group commit. */
  public StoreMeters store() {
    return store;
  }

  /** Too few replicas answered a read in time. */
  public void readShortfall() {
    readShortfalls.increment();
  }

  /** Too few replicas confirmed a write in time. */
  public void writeShortfall() {
    writeShortfalls.increment();
  }

  /** A read was refused before any work. */
  public void readShed() {
    readsShed.increment();
  }

  /** A write was refused before any work. */
  public void writeShed() {
    writesShed.increment();
  }

  /** A range read was refused before any work. */
  public void rangeShed() {
    rangesShed.increment();
  }

  /** Records came that this node gains by a change of the members. */
  public void transferred(int records, long bytes) {
    transferRecords.increment(records);
    transferBytes.increment((double) bytes);
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

  /** A range was read to its end, or as far as could be known. */
  public void rangeRead(boolean complete) {
    (complete ? rangesComplete : rangesIncomplete).increment();
    if (!complete) {
      rangeShortfalls.increment();
    }
  }

  /** The client of a range left before its end. */
  public void rangeCancelled() {
    rangesCancelled.increment();
  }

  /** Records of ranges were handed on to clients. */
  public void rangeRecords(int records) {
    rangeRecords.increment(records);
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

  /** A repair session with a peer ended, with this node having all that the peer has or not. */
  public void repairSession(boolean completed) {
    (completed ? sessionsCompleted : sessionsFailed).increment();
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

  /** A tombstone that no member needs any more was removed. */
  public void tombstoneRemoved() {
    tombstonesRemoved.increment();
  }

  /** An expired record became a tombstone. */
  public void recordExpired() {
    recordsExpired.increment();
  }
}
