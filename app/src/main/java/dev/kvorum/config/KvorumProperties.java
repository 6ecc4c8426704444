package dev.kvorum.config;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Every setting of a node, each also an environment variable in Spring's relaxed form ({@code
 * KVORUM_NODE_NAME}). An unknown name is refused; an unknown variable is logged.
 *
 * @param dataDir everything that the node keeps
 */
@ConfigurationProperties(prefix = "kvorum", ignoreUnknownFields = false)
public record KvorumProperties(
    @DefaultValue Node node,
    @DefaultValue("./data") Path dataDir,
    @DefaultValue Cluster cluster,
    @DefaultValue Rpc rpc,
    @DefaultValue Storage storage,
    @DefaultValue Clock clock,
    @DefaultValue Hints hints,
    @DefaultValue RepairProperties repair,
    @DefaultValue RebalanceProperties rebalance,
    @DefaultValue Kubernetes kubernetes,
    @DefaultValue Limits limits,
    @DefaultValue RangeProperties range,
    @DefaultValue LogProperties log,
    @DefaultValue TracingProperties tracing) {
  public KvorumProperties {
    repair.check(hints.ageMax(), limits.requestTimeout(), clock.maxOffset());
  }

  /**
   * Who this node is.
   *
   * @param name stable member name; empty: the host name
   * @param zone failure domain; a note only, zones that count come with the topology
   * @param eventLoops threads that do all network work; 0: one for each processor
   */
  public record Node(
      @DefaultValue("") String name,
      @DefaultValue("") String zone,
      @DefaultValue("0") int eventLoops) {
    public Node {
      Bounds.between("kvorum.node.event-loops", eventLoops, 0, 256);
    }
  }

  /**
   * Whom it works with.
   *
   * @param id which cluster; nodes and data of another one are refused
   * @param peers static members, {@code kvorum-0=host:7400,…}, this node included; empty: alone
   * @param replication default for {@code from}
   */
  public record Cluster(
      @DefaultValue("kvorum") String id,
      @DefaultValue("") String peers,
      @DefaultValue("3") int replication) {
    public Cluster {
      Bounds.between("kvorum.cluster.replication", replication, 1, 100);
    }
  }

  /**
   * Where the members are learnt from on Kubernetes, in place of {@code kvorum.cluster.peers}.
   *
   * @param topology name of the KvorumTopology to follow; empty: none
   * @param namespace in which it is, with the pods; empty: that of this pod
   * @param resync how often all is listed again, should a watch have gone deaf
   */
  public record Kubernetes(
      @DefaultValue("") String topology,
      @DefaultValue("") String namespace,
      @DefaultValue("1m") Duration resync) {
    public Kubernetes {
      Bounds.positive("kvorum.kubernetes.resync", resync);
    }
  }

  /**
   * The protocol between nodes.
   *
   * @param port where this node listens for the others
   * @param connectTimeout one attempt to connect
   * @param reconnectMin first pause between attempts; doubles up to {@code reconnectMax}
   * @param reconnectMax longest pause
   * @param heartbeat interval between signs of life
   * @param suspectAfter silence after which a peer is asked last
   * @param dropAfter silence after which its connection is recreated
   * @param outboundMax bytes that may wait for slow peers, an eighth of them on one connection
   * @param inFlightMax requests under way on one connection
   * @param connectionsMax connections taken from other nodes
   */
  public record Rpc(
      @DefaultValue("7400") int port,
      @DefaultValue("1s") Duration connectTimeout,
      @DefaultValue("50ms") Duration reconnectMin,
      @DefaultValue("1s") Duration reconnectMax,
      @DefaultValue("200ms") Duration heartbeat,
      @DefaultValue("600ms") Duration suspectAfter,
      @DefaultValue("5s") Duration dropAfter,
      @DefaultValue("24MB") DataSize outboundMax,
      @DefaultValue("16384") int inFlightMax,
      @DefaultValue("1024") int connectionsMax) {
    public Rpc {
      Bounds.between("kvorum.rpc.port", port, 1, 65_535);
      Bounds.between("kvorum.rpc.in-flight-max", inFlightMax, 1, 1 << 20);
      Bounds.between("kvorum.rpc.connections-max", connectionsMax, 1, 65_535);
      Bounds.positive("kvorum.rpc.connect-timeout", connectTimeout);
      Bounds.positive("kvorum.rpc.reconnect-min", reconnectMin);
      Bounds.positive("kvorum.rpc.reconnect-max", reconnectMax);
      Bounds.positive("kvorum.rpc.heartbeat", heartbeat);
      Bounds.positive("kvorum.rpc.suspect-after", suspectAfter);
      Bounds.positive("kvorum.rpc.drop-after", dropAfter);
    }
  }

  /**
   * The store on disk.
   *
   * @param durability when a write is acknowledged
   * @param syncInterval longest time an {@code async} write waits for its fsync
   * @param memory block cache with write buffers, indexes and filters inside
   * @param walMax size of the write-ahead logs at which buffers are flushed
   * @param openFilesMax table files held open
   * @param compactionRateMax bytes a second that flushes and compactions may write
   * @param diskFreeMin free space under which PUT is refused with 507
   * @param readThreads reads from disk at a time
   * @param readQueueMax reads that wait for such a thread
   * @param scanThreads scans of ranges at a time
   * @param scanQueueMax scans that wait for such a thread
   * @param writeQueueMax writes that wait for the writer
   * @param writeQueueBytesMax their bytes
   * @param batchWritesMax writes that share an fsync
   * @param batchBytesMax their bytes
   * @param reclaimShare removed and expired records, as a share of all, after which a compaction
   *     reclaims their space; over 0 and up to 1
   * @param reclaimInterval how often this is looked for
   * @param onCorruption {@code rebuild}: a store with corrupted files is set aside and rebuilt from
   *     the peers, if there are any; {@code refuse}: it is not opened
   */
  public record Storage(
      @DefaultValue("sync") String durability,
      @DefaultValue("100ms") Duration syncInterval,
      @DefaultValue("160MB") DataSize memory,
      @DefaultValue("64MB") DataSize walMax,
      @DefaultValue("512") int openFilesMax,
      @DefaultValue("64MB") DataSize compactionRateMax,
      @DefaultValue("256MB") DataSize diskFreeMin,
      @DefaultValue("4") int readThreads,
      @DefaultValue("4096") int readQueueMax,
      @DefaultValue("1") int scanThreads,
      @DefaultValue("64") int scanQueueMax,
      @DefaultValue("8192") int writeQueueMax,
      @DefaultValue("16MB") DataSize writeQueueBytesMax,
      @DefaultValue("1024") int batchWritesMax,
      @DefaultValue("4MB") DataSize batchBytesMax,
      @DefaultValue("0.1") double reclaimShare,
      @DefaultValue("1m") Duration reclaimInterval,
      @DefaultValue("rebuild") String onCorruption) {
    public Storage {
      Bounds.between("kvorum.storage.open-files-max", openFilesMax, 32, 1 << 20);
      Bounds.between("kvorum.storage.read-threads", readThreads, 1, 256);
      Bounds.between("kvorum.storage.read-queue-max", readQueueMax, 1, 1 << 20);
      Bounds.between("kvorum.storage.scan-threads", scanThreads, 1, 256);
      Bounds.between("kvorum.storage.scan-queue-max", scanQueueMax, 1, 1 << 20);
      Bounds.positive("kvorum.storage.reclaim-interval", reclaimInterval);
      if (!(reclaimShare > 0 && reclaimShare <= 1)) {
        throw new IllegalArgumentException(
            "kvorum.storage.reclaim-share is "
                + reclaimShare
                + "; it must be more than 0 and up to 1");
      }
      Bounds.between("kvorum.storage.write-queue-max", writeQueueMax, 2, 1 << 20);
      Bounds.between("kvorum.storage.batch-writes-max", batchWritesMax, 1, 1 << 16);
      Bounds.bytes("kvorum.storage.memory", memory, 8 << 20, 1L << 40);
      Bounds.bytes("kvorum.storage.wal-max", walMax, 1 << 20, 1L << 34);
      Bounds.bytes("kvorum.storage.compaction-rate-max", compactionRateMax, 1 << 20, 1L << 36);
      Bounds.bytes("kvorum.storage.disk-free-min", diskFreeMin, 0, 1L << 50);
      Bounds.bytes("kvorum.storage.write-queue-bytes-max", writeQueueBytesMax, 1, 1 << 30);
      Bounds.bytes("kvorum.storage.batch-bytes-max", batchBytesMax, 1, 1 << 28);
    }
  }

  /**
   * The clock that gives versions.
   *
   * @param maxOffset how far a version may be ahead of a node's wall clock
   * @param reserve how far ahead the clock's high-water mark is kept on disk
   * @param skew added to the machine's clock, may be negative; for tests with a wrong clock
   */
  public record Clock(
      @DefaultValue("500ms") Duration maxOffset,
      @DefaultValue("1500ms") Duration reserve,
      @DefaultValue("0s") Duration skew) {
    public Clock {
      Bounds.positive("kvorum.clock.max-offset", maxOffset);
      if (reserve.compareTo(maxOffset) <= 0) {
        throw new IllegalArgumentException(
            "kvorum.clock.reserve must be more than kvorum.clock.max-offset");
      }
    }
  }

  /**
   * Hints for members that are away.
   *
   * @param max bytes of all hints on this node
   * @param ageMax age at which a hint is dropped
   * @param rateMax bytes a second to one member that is back and has clients; a starting one that
   *     asks for its hints is given them as fast as it takes them
   * @param interval how often such members are looked for
   * @param pageMax hints under way to one member
   * @param pullMax how long a starting node waits for its hints before it is ready
   */
  public record Hints(
      @DefaultValue("256MB") DataSize max,
      @DefaultValue("3h") Duration ageMax,
      @DefaultValue("8MB") DataSize rateMax,
      @DefaultValue("1s") Duration interval,
      @DefaultValue("256") int pageMax,
      @DefaultValue("30s") Duration pullMax) {
    public Hints {
      Bounds.between("kvorum.hints.page-max", pageMax, 1, 65_536);
      Bounds.positive("kvorum.hints.interval", interval);
      Bounds.bytes("kvorum.hints.rate-max", rateMax, 1, Long.MAX_VALUE);
      Bounds.bytes("kvorum.hints.max", max, 0, 1L << 40);
    }
  }

  /**
   * Bounds on the work for clients.
   *
   * @param connectionsMax connections of clients; one more is closed as it comes
   * @param pipelinedRequestsMax requests that a connection may have unanswered; one more ends it
   * @param idleTimeout how long a connection may be without a complete request to answer, or with
   *     an answer that its client does not take
   * @param valueMax largest value; a larger one is refused with 413
   * @param discardMax how much of a refused body is read and dropped to keep its connection
   * @param bodyTimeout how long a client may take to send a value before it is answered with 408
   * @param stallTimeout how long a client may take nothing of a large value before it is cut off
   * @param requestTimeout how long a request may take before it is answered with 504
   * @param pauseMax a node that paused for longer refuses the writes that came meanwhile, since
   *     their clients may have given up and written again
   * @param inFlightMin requests of a kind (reads, writes) that are always taken on
   * @param inFlightMax requests of a kind that are taken on at most
   * @param inFlightMemory bytes of values under way
   * @param hedgeMin shortest wait before a second replica is asked for a read
   * @param hedgeMax longest such wait
   * @param hedgesPerRead hedged reads as a share of all reads
   * @param startupPeers how long a starting node waits to find out which peers are reachable
   */
  public record Limits(
      @DefaultValue("4096") int connectionsMax,
      @DefaultValue("2048") int pipelinedRequestsMax,
      @DefaultValue("60s") Duration idleTimeout,
      @DefaultValue("1MB") DataSize valueMax,
      @DefaultValue("16MB") DataSize discardMax,
      @DefaultValue("10s") Duration bodyTimeout,
      @DefaultValue("10s") Duration stallTimeout,
      @DefaultValue("1s") Duration requestTimeout,
      @DefaultValue("2s") Duration pauseMax,
      @DefaultValue("256") int inFlightMin,
      @DefaultValue("1024") int inFlightMax,
      @DefaultValue("32MB") DataSize inFlightMemory,
      @DefaultValue("1ms") Duration hedgeMin,
      @DefaultValue("100ms") Duration hedgeMax,
      @DefaultValue("0.05") double hedgesPerRead,
      @DefaultValue("2s") Duration startupPeers) {
    /** What {@code valueMax} may be at most. */
    public static final int LEGAL_VALUE_BYTES_MAX = 16 << 20;

    public Limits {
      Bounds.between("kvorum.limits.connections-max", connectionsMax, 1, 1 << 20);
      Bounds.between("kvorum.limits.pipelined-requests-max", pipelinedRequestsMax, 1, 65_535);
      Bounds.positive("kvorum.limits.idle-timeout", idleTimeout);
      Bounds.bytes("kvorum.limits.value-max", valueMax, 0, LEGAL_VALUE_BYTES_MAX);
      Bounds.bytes("kvorum.limits.discard-max", discardMax, 0, Long.MAX_VALUE);
      Bounds.between("kvorum.limits.in-flight-min", inFlightMin, 1, 1 << 20);
      Bounds.between("kvorum.limits.in-flight-max", inFlightMax, inFlightMin, 1 << 20);
      Bounds.positive("kvorum.limits.body-timeout", bodyTimeout);
      Bounds.positive("kvorum.limits.stall-timeout", stallTimeout);
      Bounds.positive("kvorum.limits.request-timeout", requestTimeout);
      Bounds.positive("kvorum.limits.pause-max", pauseMax);
      Bounds.positive("kvorum.limits.hedge-min", hedgeMin);
      Bounds.positive("kvorum.limits.hedge-max", hedgeMax);
      if (inFlightMemory.toBytes() <= valueMax.toBytes()) {
        throw new IllegalArgumentException(
            "kvorum.limits.in-flight-memory must be more than kvorum.limits.value-max");
      }
    }
  }
}
