package dev.kvorum.config;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.auth.AuthSettings;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.serviceaccount.ServiceAccountMode;
import dev.kvorum.auth.serviceaccount.ServiceAccountTokens;
import dev.kvorum.auth.serviceaccount.TokenSettings;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.http.HttpSettings;
import dev.kvorum.http.connection.ConnectionSettings;
import dev.kvorum.membership.DataDirectory;
import dev.kvorum.membership.KubernetesTopology;
import dev.kvorum.membership.Membership;
import dev.kvorum.membership.ReplicationFile;
import dev.kvorum.membership.StaticTopology;
import dev.kvorum.rpc.PeerSettings;
import dev.kvorum.security.HttpTls;
import dev.kvorum.security.PeerTls;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.ExportSettings;
import dev.kvorum.tracing.OpenTelemetryTracer;
import dev.kvorum.tracing.Tracer;
import dev.kvorum.tracing.TracingSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's settings and its name, and the parts that they configure.
 *
 * <p>The parts take the records of their groups as they are; this converts what a part needs of
 * several groups.
 */
public record NodeSettings(KvorumProperties properties, MemberId self) {
  private static final Logger log = LoggerFactory.getLogger(NodeSettings.class);

  /** Bounds the export of the last spans when a node stops. */
  private static final Duration TRACER_CLOSE_MAX = Duration.ofSeconds(1);

  /** Bounds the wait for queued writes when a node stops. */
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

  /** TLS between nodes. */
  public PeerTls peerTls() {
    return started(() -> PeerTls.start(properties.tls(), properties.cluster().id(), self.name()));
  }

  /** TLS towards clients. */
  public HttpTls clientTls() {
    return started(() -> HttpTls.ofClients(properties.tls()));
  }

  /** TLS of the management port. */
  public HttpTls managementTls() {
    return started(() -> HttpTls.ofManagement(properties.tls()));
  }

  /** Who may send requests. */
  public UserFile users() {
    return started(() -> UserFile.start(properties.auth(), System::nanoTime));
  }

  /** What takes tokens of ServiceAccounts, if any are. */
  public Optional<ServiceAccountTokens> serviceAccountTokens(UserFile users) {
    return properties.auth().serviceAccounts() == ServiceAccountMode.OFF
        ? Optional.empty()
        : Optional.of(started(() -> tokens(users)));
  }

  private ServiceAccountTokens tokens(UserFile users) {
    AuthSettings auth = properties.auth();
    TokenSettings tokens =
        new TokenSettings(
            audience(),
            auth.tokenLifetimeMax(),
            auth.tokenRecheck(),
            auth.tokensMax(),
            auth.tokensWaitingMax());
    return ServiceAccountTokens.connect(
        auth.serviceAccounts(), tokens, () -> users.users().haveAccounts());
  }

  private String audience() {
    String audience = properties.auth().audience();
    KvorumProperties.Kubernetes kubernetes = properties.kubernetes();
    if (!audience.isEmpty()) {
      return audience;
    }
    if (kubernetes.topology().isEmpty()) {
      throw new IllegalArgumentException(
          "kvorum.auth.service-accounts needs kvorum.auth.audience where kvorum.kubernetes.topology"
              + " is not set");
    }
    String namespace = KubernetesTopology.namespace(kubernetes.namespace());
    return "kvorum.dev/" + namespace + "/" + kubernetes.topology();
  }

  /** The audit log, which takes nothing without users. */
  public AuditLog audit() {
    boolean isOn = properties.audit().enabled() && !properties.auth().file().isEmpty();
    return isOn
        ? started(() -> AuditLog.start(properties.audit()))
        : AuditLog.off(properties.audit());
  }

  private static <T> T started(Supplier<T> start) {
    try {
      return start.get();
    } catch (IllegalArgumentException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The data directory, which no other process has while this one does. */
  public DataDirectory lockDirectory() {
    return DataDirectory.lock(dataDir(), properties.cluster().id(), self);
  }

  /** How this node comes to be a member; blocks until it is one. */
  public Membership membership(RandomGenerator random) {
    Membership membership = source(random);
    ReplicationFile.claim(dataDir(), properties.cluster().replication());
    return membership;
  }

  private Membership source(RandomGenerator random) {
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
            self,
            properties.rpc().port(),
            kubernetes.resync());
    return Membership.followed(dataDir(), cluster.id(), self, random, source, BackupNames::isId);
  }

  /**
   * The cluster's display name: on Kubernetes the name of its object, since the id there is random
   * and distinguishes clusters of the same name.
   */
  public String clusterName() {
    String topology = properties.kubernetes().topology();
    return topology.isEmpty() ? properties.cluster().name() : topology;
  }

  /** Records the traces of this node. */
  public Tracer tracer() {
    TracingSettings tracing = properties.tracing();
    return tracing.endpoint().isEmpty()
        ? Tracer.NONE
        : OpenTelemetryTracer.exporting(
            new ExportSettings(tracing, TRACER_CLOSE_MAX, clusterName(), self.name()),
            LoggerFactory.getLogger(Tracer.class)::warn);
  }

  /** Returns whether a feature becomes active as soon as all members have it. */
  public boolean agreesOnFeatures() {
    return properties.kubernetes().topology().isEmpty() && !properties.cluster().holdFeatures();
  }

  public int eventLoops() {
    int set = properties.node().eventLoops();
    return set > 0 ? set : Runtime.getRuntime().availableProcessors();
  }

  public CoreSettings core() {
    return new CoreSettings(
        coordinator(),
        properties.hints(),
        properties.repair(),
        properties.rebalance(),
        properties.clock(),
        properties.limits().startupPeers());
  }

  public Path dataDir() {
    return properties.dataDir();
  }

  public PeerSettings peers() {
    return new PeerSettings(
        properties.rpc(), properties.limits().hedgeMin(), properties.limits().hedgeMax());
  }

  private CoordinatorSettings coordinator() {
    return new CoordinatorSettings(
        properties.cluster().replication(),
        properties.limits().requestTimeout(),
        properties.limits().hedgesPerRead(),
        properties.limits().pauseMax());
  }

  public HttpSettings http() {
    return new HttpSettings(
        properties.limits().valueMax().toBytes(),
        properties.limits().discardMax().toBytes(),
        properties.limits().bodyTimeout(),
        properties.limits().stallTimeout(),
        properties.cluster().replication(),
        properties.storage().diskFreeMinBytes());
  }

  public ConnectionSettings connections() {
    return new ConnectionSettings(
        properties.limits().connectionsMax(),
        properties.limits().pipelinedRequestsMax(),
        properties.limits().discardMax().toBytes(),
        properties.limits().idleTimeout(),
        properties.limits().overloadPauseMax());
  }

  public StoreSettings storage() {
    return StoreSettings.of(
        dataDir().resolve("store"),
        properties.storage(),
        properties.hints().max().toBytes(),
        STORE_CLOSE_TIMEOUT);
  }
}
