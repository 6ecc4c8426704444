package dev.kvorum.config;

import dev.kvorum.audit.AuditSettings;
import dev.kvorum.auth.AuthSettings;
import dev.kvorum.backup.BackupSettings;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.data.Versioned;
import dev.kvorum.hints.HintSettings;
import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.rpc.RpcSettings;
import dev.kvorum.security.TlsSettings;
import dev.kvorum.settings.Bounds;
import dev.kvorum.storage.engine.StorageSettings;
import dev.kvorum.tracing.TracingSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All settings of a node, each also an environment variable in Spring's relaxed form ({@code
 * KVORUM_NODE_NAME}). An unknown name is rejected; an unknown variable is logged.
 *
 * <p>The settings of one part are a record in its package, those of several parts are declared
 * here.
 *
 * @param dataDir directory of all files of the node
 */
@ConfigurationProperties(prefix = "kvorum", ignoreUnknownFields = false)
public record KvorumProperties(
    @DefaultValue Node node,
    @DefaultValue("./data") Path dataDir,
    @DefaultValue Cluster cluster,
    @DefaultValue RpcSettings rpc,
    @DefaultValue StorageSettings storage,
    @DefaultValue Clock clock,
    @DefaultValue HintSettings hints,
    @DefaultValue RepairSettings repair,
    @DefaultValue RebalanceSettings rebalance,
    @DefaultValue Kubernetes kubernetes,
    @DefaultValue Limits limits,
    @DefaultValue RangeSettings range,
    @DefaultValue TlsSettings tls,
    @DefaultValue AuthSettings auth,
    @DefaultValue AuditSettings audit,
    @DefaultValue BackupSettings backup,
    @DefaultValue LogProperties log,
    @DefaultValue TracingSettings tracing) {
  public KvorumProperties {
    repair.check(hints.ageMax(), limits.requestTimeout(), clock.maxOffset());
  }

  /** The defaults of all settings. */
  public static KvorumProperties defaults() {
    return new Binder().bindOrCreate("kvorum", KvorumProperties.class);
  }

  /**
   * Settings {@code kvorum.node.*}: the identity of this node.
   *
   * @param name stable member name; empty: the host name
   * @param zone failure domain; has no effect on placement
   * @param eventLoops threads that do all network work, up to 256; 0: one for each processor
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
   * Settings {@code kvorum.cluster.*}: the cluster of this node.
   *
   * @param name name of the cluster
   * @param id identity of the cluster: nodes, certificates and data of another one are rejected;
   *     empty: its name
   * @param peers static members, {@code kvorum-0=host:7400,…}, this node included; empty: this node
   *     alone
   * @param replication default for {@code from}, 1 to 100; cannot be changed once there is data
   * @param holdFeatures static members activate no feature, so that the release before can be
   *     started again
   */
  public record Cluster(
      @DefaultValue("kvorum") String name,
      @DefaultValue("") String id,
      @DefaultValue("") String peers,
      @DefaultValue("3") int replication,
      @DefaultValue("false") boolean holdFeatures) {
    public Cluster {
      Bounds.between("kvorum.cluster.replication", replication, 1, 100);
      if (id.isEmpty()) {
        id = name;
      }
    }
  }

  /**
   * Settings {@code kvorum.kubernetes.*}: source of the members on Kubernetes, instead of {@code
   * kvorum.cluster.peers}.
   *
   * @param topology name of the KvorumTopology to follow; empty: none
   * @param namespace namespace of the KvorumTopology and the pods; empty: that of this pod
   * @param resync interval at which all objects are listed again
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
   * Settings {@code kvorum.clock.*}: the clock that stamps versions.
   *
   * @param maxOffset how far a version may be ahead of a node's wall clock
   * @param reserve how far the high-water mark on disk is ahead of the clock; more than {@code
   *     maxOffset}
   * @param skew added to the machine's clock, for tests; may be negative
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
   * Settings {@code kvorum.limits.*}: bounds of the work for clients.
   *
   * @param connectionsMax client connections, 1 to 1048576; one more is closed at once
   * @param pipelinedRequestsMax unanswered requests of one connection, 1 to 65535; one more closes
   *     it
   * @param idleTimeout longest time of a connection without a complete request, or with an unread
   *     response
   * @param valueMax largest value, up to 16 MB; more is 413
   * @param discardMax bytes of a rejected body that are read to keep its connection
   * @param bodyTimeout longest time for sending a value; then 408
   * @param stallTimeout time without progress in a large value; then its client is disconnected
   * @param requestTimeout longest duration of a request; then 504
   * @param pauseMax a node that paused for longer rejects the writes that arrived meanwhile
   * @param inFlightMin requests of a kind (reads, writes) that are always admitted, 1 to 1048576
   * @param inFlightMax requests of a kind that are admitted at most, {@code inFlightMin} to 1048576
   * @param inFlightMemory bytes of values in flight; more than {@code valueMax}
   * @param overloadPauseMax longest time, up to 10 s, in which nothing is read from an {@code
   *     overloaded} connection: a quarter of it after the first rejection, doubled after each
   *     further one
   * @param hedgeMin shortest wait before a second replica is asked for a read
   * @param hedgeMax longest such wait
   * @param hedgesPerRead hedged reads as a share of all reads
   * @param startupPeers how long a starting node waits for peers to become reachable
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
      @DefaultValue("1s") Duration overloadPauseMax,
      @DefaultValue("1ms") Duration hedgeMin,
      @DefaultValue("100ms") Duration hedgeMax,
      @DefaultValue("0.05") double hedgesPerRead,
      @DefaultValue("2s") Duration startupPeers) {
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    public Limits {
      Bounds.between("kvorum.limits.connections-max", connectionsMax, 1, 1 << 20);
      Bounds.between("kvorum.limits.pipelined-requests-max", pipelinedRequestsMax, 1, 65_535);
      Bounds.positive("kvorum.limits.idle-timeout", idleTimeout);
      Bounds.bytes("kvorum.limits.value-max", valueMax.toBytes(), 0, Versioned.VALUE_BYTES_MAX);
      Bounds.bytes("kvorum.limits.discard-max", discardMax.toBytes(), 0, Long.MAX_VALUE);
      Bounds.between("kvorum.limits.in-flight-min", inFlightMin, 1, 1 << 20);
      Bounds.between("kvorum.limits.in-flight-max", inFlightMax, inFlightMin, 1 << 20);
      Bounds.positive("kvorum.limits.body-timeout", bodyTimeout);
      Bounds.positive("kvorum.limits.stall-timeout", stallTimeout);
      Bounds.positive("kvorum.limits.request-timeout", requestTimeout);
      Bounds.positive("kvorum.limits.pause-max", pauseMax);
      Bounds.between(
          "kvorum.limits.overload-pause-max", overloadPauseMax, Duration.ZERO, PAUSE_MAX);
      Bounds.positive("kvorum.limits.hedge-min", hedgeMin);
      Bounds.positive("kvorum.limits.hedge-max", hedgeMax);
      if (inFlightMemory.toBytes() <= valueMax.toBytes()) {
        throw new IllegalArgumentException(
            "kvorum.limits.in-flight-memory must be more than kvorum.limits.value-max");
      }
    }
  }
}
