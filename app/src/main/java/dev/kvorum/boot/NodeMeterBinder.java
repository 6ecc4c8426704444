package dev.kvorum.boot;

import static dev.kvorum.metrics.PolledMeter.*;

import dev.kvorum.config.NodeSettings;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.http.connection.ClientConnections;
import dev.kvorum.metrics.Meters;
import dev.kvorum.metrics.RpcMeters;
import dev.kvorum.node.Node;
import dev.kvorum.node.NodeStatus;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.rpc.PeerReleases;
import dev.kvorum.rpc.Release;
import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsMode;
import dev.kvorum.security.TlsPort;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.engine.EngineStats;
import dev.kvorum.storage.engine.StoreStats;
import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.tracing.Tracer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Binds each {@link dev.kvorum.metrics.PolledMeter} to its value in a running node. */
final class NodeMeterBinder {
  private static final double MICROS = 1e6;

  private final Meters meters;
  private final Node node;
  private final NodeSettings settings;
  private final Tracer tracer;

  NodeMeterBinder(Meters meters, Node node, NodeSettings settings, Tracer tracer) {
    this.meters = meters;
    this.node = node;
    this.settings = settings;
    this.tracer = tracer;
  }

  /** Binds all meters that do not depend on HTTP. */
  void showNode() {
    peers();
    repair();
    topology();
    store();
    checksums();
    disk();
    pod();
    netty();
    tracing();
    meters.show(
        BUILD, () -> 1, "version", Release.CURRENT.version(), "java", Runtime.version().toString());
  }

  /** Binds the meters of the HTTP server. */
  void showHttp(AdmissionControl admission, ClientConnections clients, RangeStreamLimiter places) {
    meters.show(CONNECTIONS, clients::open);
    meters.show(ADMISSION_LIMIT, admission::readsMax, "kind", "read");
    meters.show(ADMISSION_LIMIT, admission::writesMax, "kind", "write");
    meters.show(ADMISSION_IN_FLIGHT, admission::readsInFlight, "kind", "read");
    meters.show(ADMISSION_IN_FLIGHT, admission::writesInFlight, "kind", "write");
    meters.show(ADMISSION_BYTES, admission::bytes);
    long bytesMax = settings.properties().limits().inFlightMemory().toBytes();
    meters.show(ADMISSION_LIMIT_BYTES, () -> bytesMax);
    meters.show(RANGE_STREAMS, places::taken);
  }

  /** Binds the meters of TLS. */
  void showPlainPeers(PeerTls tls) {
    meters.show(
        TLS_PLAIN_PEERS, () -> tls.mode() == TlsMode.OFF ? Double.NaN : tls.plainConnections());
  }

  void showTls(TlsPort<?> port) {
    meters.show(
        TLS_EXPIRY,
        () -> port.mode() == TlsMode.OFF ? Double.NaN : port.expiry().toEpochMilli() / 1e3,
        "port",
        port.name());
    meters.show(TLS_FILES_REJECTED, () -> port.isStale() ? 1 : 0, "port", port.name());
    meters.show(TLS_RELOADS, port::reloads, "port", port.name());
    meters.show(TLS_FAILED, port::failed, "port", port.name());
    meters.show(TLS_REJECTED, port::rejected, "port", port.name());
  }

  private void peers() {
    PeerReleases releases = node.core().handshakes().releases();
    meters
        .rpc()
        .show(
            new RpcMeters.Lookups(
                peer -> node.isConnected(new MemberId(peer)),
                peer -> node.store().count(new MemberId(peer)),
                peer -> releases.protocol(new MemberId(peer)).orElse(0)));
    meters.show(HINT_BYTES, () -> node.store().bytes());
    long hintsMax = settings.properties().hints().max().toBytes();
    meters.show(HINTS_LIMIT_BYTES, () -> hintsMax);
  }

  private void repair() {
    Supplier<RepairReport> report = new ExpiringSupplier<>(node::repair);
    meters.show(SLOTS_NEVER_COMPARED, () -> report.get().slotsNeverCompared());
    meters.show(
        OLDEST_COMPARISON,
        () ->
            report.get().oldestComparison().map(NodeMeterBinder::secondsSince).orElse(Double.NaN));
    meters.show(REBUILDING, () -> report.get().rebuilding() ? 1 : 0);
    meters.show(LOST_RANGES, () -> report.get().lost().ranges().size());
    meters.show(STORE_CORRUPTED, () -> node.store().corruptedStores().isPending() ? 1 : 0);
  }

  private static double secondsSince(Instant then) {
    return Math.max(0, Duration.between(then, Instant.now()).toMillis() / 1e3);
  }

  private void topology() {
    Supplier<NodeStatus> status = new ExpiringSupplier<>(node::status);
    meters.show(EPOCH, () -> status.get().change().epochSeen());
    meters.show(FENCED, () -> status.get().fencing().raised() ? 1 : 0);
    for (MemberState state : MemberState.values()) {
      meters.show(
          MEMBERS,
          () -> members(status.get(), state),
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    meters.show(CHANGING, () -> status.get().change().topology().phase() == Phase.STABLE ? 0 : 1);
    meters.show(TOPOLOGY_AGE, () -> node.source().age().toMillis() / 1e3);
    Supplier<SlotsHeld> held = new ExpiringSupplier<>(this::slotsHeld);
    meters.show(SLOTS, () -> held.get().first(), "role", "first");
    meters.show(SLOTS, () -> held.get().replica(), "role", "replica");
    meters.show(TRANSFER_SOURCES, () -> status.get().change().transfer().sources());
    meters.show(TRANSFER_SOURCES_DONE, () -> status.get().change().transfer().sourcesDone());
    meters.show(CLOCK_AHEAD, () -> status.get().clock().aheadMillis() / 1e3);
    meters.show(CLOCK_OFFSET, () -> status.get().clock().offsetMillis() / 1e3);
    double offsetMax = settings.properties().clock().maxOffset().toMillis() / 1e3;
    meters.show(CLOCK_AHEAD_MAX, () -> offsetMax);
    ActiveFeatures features = node.self().features();
    for (Feature feature : Feature.values()) {
      meters.show(
          FEATURE_ACTIVE, () -> features.contains(feature) ? 1 : 0, "feature", feature.label());
    }
  }

  private static long members(NodeStatus status, MemberState state) {
    return status.change().topology().members().stream()
        .filter(member -> member.state() == state)
        .count();
  }

  private record SlotsHeld(long first, long replica) {}

  private SlotsHeld slotsHeld() {
    SlotMap map = node.core().layout().before();
    int copies =
        Math.min(settings.properties().cluster().replication(), node.core().layout().fromMax());
    long[] held = new long[2];
    IntStream.range(0, Slots.COUNT)
        .mapToObj(slot -> map.preferenceList(slot).replicas(copies).indexOf(node.self().id()))
        .filter(rank -> rank >= 0)
        .forEach(rank -> {
          held[0] += rank == 0 ? 1 : 0;
          held[1]++;
        });
    return new SlotsHeld(held[0], held[1]);
  }

  private void store() {
    Supplier<StoreStats> stats = new ExpiringSupplier<>(node.store()::stats);
    Supplier<EngineStats> database = () -> stats.get().database();
    Supplier<EngineStats.Counts> counts = () -> database.get().counts();
    meters.show(QUEUED_WRITES, () -> stats.get().queuedWrites());
    meters.show(STORE_FAILED, () -> node.isHealthy() ? 0 : 1);
    meters.show(STORE_REOPENED, node.store()::reopened);
    meters.show(RECORDS, () -> database.get().recordsEstimated());
    meters.show(TABLE_BYTES, () -> database.get().tableBytes());
    meters.show(LIVE_BYTES, () -> database.get().liveBytes());
    double spaceMax = settings.properties().storage().blobSpaceMax();
    meters.show(BLOB_FILES, () -> database.get().blobs().files());
    meters.show(BLOB_BYTES, () -> database.get().blobs().bytes());
    meters.show(BLOB_GARBAGE, () -> database.get().blobs().garbageBytes());
    meters.show(BLOB_GARBAGE_MAX, () -> database.get().garbageBytesMax(spaceMax));
    meters.show(BLOB_MOVED, () -> counts.get().blobMovedBytes());
    meters.show(WAL_BYTES, () -> database.get().logBytes());
    meters.show(MEMTABLE_BYTES, () -> database.get().writeBufferBytes());
    meters.show(CACHE_BYTES, () -> database.get().cacheBytes());
    long capacity = settings.storage().blockCacheBytes();
    meters.show(CACHE_LIMIT_BYTES, () -> capacity);
    meters.show(CACHE_HITS, () -> counts.get().cacheHits());
    meters.show(CACHE_MISSES, () -> counts.get().cacheMisses());
    meters.show(VERSION_CACHE_HITS, () -> stats.get().versionHits());
    meters.show(VERSION_CACHE_MISSES, () -> stats.get().versionMisses());
    for (int number = 0; number < EngineStats.LEVELS; number++) {
      int level = number;
      meters.show(
          LEVEL_FILES,
          () -> database.get().levelFiles().get(level),
          "level",
          Integer.toString(level));
    }
    meters.show(FLUSHED, () -> counts.get().flushedBytes());
    meters.show(COMPACTION_READ, () -> counts.get().compactionReadBytes());
    meters.show(COMPACTION_WRITTEN, () -> counts.get().compactionWrittenBytes());
    meters.show(COMPACTION_PENDING, () -> database.get().compactionPendingBytes());
    meters.show(STALLED, () -> counts.get().stalledMicros() / MICROS);
    meters.show(BACKGROUND_ERRORS, () -> database.get().backgroundErrors());
    meters.show(DISK_FREE, () -> stats.get().diskFreeBytes());
  }

  private void checksums() {
    ChecksumVerifier verifier = node.core().verifier();
    for (Place place : Place.values()) {
      meters.show(MISMATCHES, () -> verifier.mismatches(place), "place", place.label());
    }
    meters.show(MISMATCHES_LOST, verifier::lost);
  }

  private void disk() {
    Path directory = settings.dataDir();
    long freeMin = settings.properties().storage().diskFreeMin().toBytes();
    meters.show(DISK_FREE_MIN, () -> freeMin);
    meters.show(DISK_TOTAL, () -> totalBytes(directory));
  }

  private static double totalBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getTotalSpace();
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  private void pod() {
    Supplier<CgroupStats> pod = new ExpiringSupplier<>(CgroupStats::now);
    meters.show(MEMORY_LIMIT, () -> pod.get().memoryLimitBytes());
    meters.show(MEMORY_USED, () -> pod.get().memoryUsedBytes());
    meters.show(MEMORY_RESIDENT, () -> pod.get().residentBytes());
    meters.show(CPU_THROTTLED, () -> pod.get().throttledMicros() / MICROS);
    meters.show(CPU_PERIODS, () -> pod.get().periods());
    meters.show(CPU_THROTTLED_PERIODS, () -> pod.get().throttledPeriods());
  }

  private void tracing() {
    meters.show(SPANS, () -> tracer.counts().recorded());
    meters.show(SPANS_EXPORTED, () -> tracer.counts().exported());
    meters.show(SPANS_REJECTED, () -> tracer.counts().rejected());
  }

  private void netty() {
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider) {
      ByteBufAllocatorMetric memory = provider.metric();
      meters.show(NETTY_MEMORY, memory::usedHeapMemory, "kind", "heap");
      meters.show(NETTY_MEMORY, memory::usedDirectMemory, "kind", "direct");
    }
  }
}
