package dev.kvorum.config;

import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.data.Key;
import dev.kvorum.hints.HandoffSettings;
import dev.kvorum.http.HttpSettings;
import dev.kvorum.http.connection.ConnectionSettings;
import dev.kvorum.membership.DataDirectory;
import dev.kvorum.membership.KubernetesTopology;
import dev.kvorum.membership.Membership;
import dev.kvorum.membership.StaticTopology;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.rpc.RpcSettings;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.StoreSettings.ReadLimits;
import dev.kvorum.storage.engine.StoreSettings.Reclaim;
import dev.kvorum.storage.engine.StoreSettings.WriteLimits;
import dev.kvorum.topology.MemberId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A user's settings in the terms of the node's parts. */
public record NodeSettings(KvorumProperties properties, MemberId self) {
  private static final Logger log = LoggerFactory.getLogger(NodeSettings.class);

  /**
   * Largest frame: a page of the largest legal record and the next key, regardless of this node's
   * own limit for clients. A peer may accept larger values, and those that are stored stay when the
   * limit is lowered.
   */
  private static final int FRAME_BYTES_MAX =
      KvorumProperties.Limits.LEGAL_VALUE_BYTES_MAX + 2 * Key.BYTES_MAX + 256;

  /** Fewer leave too little space to be worth a compaction. */
  private static final long RECLAIM_RECORDS_MIN = 1000;

  private static final Duration STORE_CLOSE_TIMEOUT = Duration.ofSeconds(2);

  public static NodeSettings of(KvorumProperties properties) {
    String name = properties.node().name();
    try {
      return new NodeSettings(properties, new MemberId(name.isEmpty() ? hostName() : name));
    } catch (IllegalArgumentException e) {
      throw new NodeStartException(e.getMessage() + " (kvorum.node.name)", e);
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new NodeStartException("the host name is unknown; set kvorum.node.name", e);
    }
  }

  /** The data directory, which no other process has while this one does. */
  public DataDirectory lockDirectory() {
    return DataDirectory.lock(dataDir(), properties.cluster().id(), self);
  }

  /** How this node comes to be a member; blocks until it is one. */
  public Membership membership(RandomGenerator random) {
    KvorumProperties.Kubernetes kubernetes = properties.kubernetes();
    KvorumProperties.Cluster cluster = properties.cluster();
    if (kubernetes.topology().isEmpty()) {
      if (!properties.node().zone().isEmpty()) {
        log.warn("kvorum.node.zone has no effect: static peers have no zones");
      }
      StaticTopology members = StaticTopology.parse(cluster.id(), cluster.peers(), self);
      return Membership.ofStatic(dataDir(), members, self, random);
    }
    if (!cluster.peers().isEmpty()) {
      throw new IllegalArgumentException(
          "both kvorum.cluster.peers and kvorum.kubernetes.topology are set; only one of them may"
              + " define the members");
    }
    KubernetesTopology source =
        KubernetesTopology.connect(
            kubernetes.namespace(),
            kubernetes.topology(),
            properties.rpc().port(),
            kubernetes.resync());
    return Membership.followed(dataDir(), cluster.id(), self, random, source);
  }

  /**
   * The cluster's display name: on Kubernetes the name of its object, since the id there is random
   * and distinguishes clusters of the same name.
   */
  public String clusterName() {
    String topology = properties.kubernetes().topology();
    return topology.isEmpty() ? properties.cluster().id() : topology;
  }

  public int eventLoops() {
    int set = properties.node().eventLoops();
    return set > 0 ? set : Runtime.getRuntime().availableProcessors();
  }

  public CoreSettings core() {
    return new CoreSettings(
        coordinator(),
        handoff(),
        repair(),
        properties.rebalance().settings(),
        properties.clock().maxOffset(),
        properties.clock().reserve(),
        properties.limits().startupPeers(),
        properties.hints().pullMax());
  }

  public Path dataDir() {
    return properties.dataDir();
  }

  public RpcSettings rpc() {
    KvorumProperties.Rpc rpc = properties.rpc();
    KvorumProperties.Limits limits = properties.limits();
    return new RpcSettings(
        rpc.port(),
        rpc.connectTimeout(),
        rpc.reconnectMin(),
        rpc.reconnectMax(),
        rpc.heartbeat(),
        rpc.suspectAfter(),
        rpc.dropAfter(),
        FRAME_BYTES_MAX,
        rpc.outboundMax().toBytes(),
        rpc.inFlightMax(),
        rpc.connectionsMax(),
        limits.hedgeMin(),
        limits.hedgeMax());
  }

  private CoordinatorSettings coordinator() {
    return new CoordinatorSettings(
        properties.limits().requestTimeout(),
        properties.limits().hedgesPerRead(),
        properties.limits().pauseMax());
  }

  private HandoffSettings handoff() {
    KvorumProperties.Hints hints = properties.hints();
    return new HandoffSettings(
        hints.pageMax(),
        hints.rateMax().toBytes(),
        hints.ageMax(),
        hints.interval(),
        properties.limits().requestTimeout());
  }

  private RepairSettings repair() {
    RepairProperties repair = properties.repair();
    return new RepairSettings(
        properties.cluster().replication(),
        repair.interval(),
        repair.settle(),
        repair.granularity(),
        repair.tombstoneAgeMin(),
        repair.horizon(),
        repair.timeout(),
        repair.retryMax(),
        repair.rateMax().toBytes(),
        repair.latencyMax(),
        repair.pageRecordsMax(),
        (int) repair.pageMax().toBytes(),
        repair.window(),
        repair.copiesMax(),
        repair.droppedMax());
  }

  public HttpSettings http() {
    return new HttpSettings(
        properties.limits().valueMax().toBytes(),
        properties.limits().discardMax().toBytes(),
        properties.limits().bodyTimeout(),
        properties.limits().stallTimeout(),
        properties.cluster().replication());
  }

  public ConnectionSettings connections() {
    return new ConnectionSettings(
        properties.limits().connectionsMax(),
        properties.limits().pipelinedRequestsMax(),
        properties.limits().discardMax().toBytes(),
        properties.limits().idleTimeout());
  }

  public RangeSettings range() {
    RangeProperties range = properties.range();
    return new RangeSettings(
        properties.cluster().replication(),
        range.pageRecords(),
        (int) range.pageBytes().toBytes(),
        range.pageTimeout());
  }

  public StoreSettings storage() {
    KvorumProperties.Storage storage = properties.storage();
    return new StoreSettings(
        dataDir().resolve("store"),
        durability(storage.durability()),
        storage.syncInterval(),
        STORE_CLOSE_TIMEOUT,
        storage.memory().toBytes(),
        storage.walMax().toBytes(),
        storage.openFilesMax(),
        storage.compactionRateMax().toBytes(),
        storage.diskFreeMin().toBytes(),
        properties.hints().max().toBytes(),
        new ReadLimits(storage.readThreads(), storage.readQueueMax()),
        new ReadLimits(storage.scanThreads(), storage.scanQueueMax()),
        new WriteLimits(
            storage.writeQueueMax(),
            storage.writeQueueBytesMax().toBytes(),
            storage.batchWritesMax(),
            storage.batchBytesMax().toBytes()),
        new Reclaim(storage.reclaimShare(), RECLAIM_RECORDS_MIN, storage.reclaimInterval()));
  }

  public OnCorruption onCorruption() {
    return switch (properties.storage().onCorruption().toLowerCase(Locale.ROOT)) {
      case "rebuild" -> OnCorruption.REBUILD;
      case "refuse" -> OnCorruption.REFUSE;
      default ->
          throw new IllegalArgumentException(
              "kvorum.storage.on-corruption is '"
                  + properties.storage().onCorruption()
                  + "'; it must be rebuild or refuse");
    };
  }

  private static Durability durability(String label) {
    return switch (label.toLowerCase(Locale.ROOT)) {
      case "sync" -> Durability.SYNC;
      case "async" -> Durability.ASYNC;
      default ->
          throw new IllegalArgumentException(
              "kvorum.storage.durability is '" + label + "'; it must be sync or async");
    };
  }
}
