package dev.kvorum.operator;

import dev.kvorum.operator.act.StepExecutor;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.observe.Observer;
import dev.kvorum.operator.observe.ReportSource;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Release;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What else acts on an API server: the StatefulSet controller, machines that run pods, and the
 * nodes in them, which apply each topology at once.
 */
final class FakeKubernetes implements ReportSource {
  static final String NAMESPACE = "test";
  static final String NAME = "kvorum";

  /** Turns without a change after which there will be none. */
  private static final int QUIET = 3;

  private final KubernetesClient client;

  final FakeImageChecks imageChecks;
  final FakeCertificates certificates;
  final FakeUsers users;

  /** Nodes' image where a cluster sets none. */
  String defaultImage = "kvorum:default";

  /** Images that no machine can have. */
  final Set<String> absentImages = new HashSet<>();

  /** What becomes of claims. */
  String claimPhase = "Bound";

  /** Members that are being rebuilt. */
  final Set<String> rebuilding = new HashSet<>();

  /** Members whose store has never held anything. */
  final Set<String> blank = new HashSet<>();

  /** The features that nodes have. */
  Set<String> features = Set.of();

  /** Pods whose nodes do not answer. */
  final Set<String> silent = new HashSet<>();

  /** What the operator shows to nodes, by address. */
  private final Map<String, String> tokens = new HashMap<>();

  /** The last topology, which nodes keep when it is gone. */
  private Optional<KvorumTopologySpec> seen = Optional.empty();

  /** Whether disruption budgets allow evictions. */
  boolean evictable = true;

  FakeKubernetes(KubernetesClient client) {
    this.client = client;
    this.imageChecks = new FakeImageChecks(client);
    this.certificates = new FakeCertificates(client);
    this.users = new FakeUsers(client);
    for (String zone : List.of("a", "b", "c")) {
      client
          .nodes()
          .resource(
              new NodeBuilder()
                  .withNewMetadata()
                  .withName("machine-" + zone)
                  .addToLabels("topology.kubernetes.io/zone", zone)
                  .endMetadata()
                  .build())
          .create();
    }
  }

  /** An operator that writes through a door of its own and goes by a clock. */
  Reconciliation operator(Writes door, InstantSource clock) {
    return operator(door, clock, Duration.ZERO);
  }

  /**
   * One that waits with what it has read.
   *
   * @param life time for which it keeps that
   */
  Reconciliation operator(Writes door, InstantSource clock, Duration life) {
    return new Reconciliation(
        new Observer(client, this, clock, Optional.of("operators"), defaultImage),
        new KeptReads(client, clock, life),
        door,
        new StepExecutor(door, () -> "the-id", cluster -> false),
        new OperatorMeters(new SimpleMeterRegistry()));
  }

  /** Writes that a test inspects, and may reject. */
  Writes door(Consumer<Object> look) {
    return FakeWrites.inspected(writes(client), look);
  }

  /** One that nothing is wrong with. */
  Reconciliation operator() {
    return operator(writes(client), InstantSource.system());
  }

  /** Writes with a client, and what the mock server does not do of them. */
  Writes writes(KubernetesClient with) {
    return new FakeWrites(client, () -> evictable).of(with);
  }

  void create(KvorumClusterSpec spec) {
    create(NAME, spec);
  }

  void create(String name, KvorumClusterSpec spec) {
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).withGeneration(1L).build());
    cluster.setSpec(spec);
    client.resource(cluster).create();
  }

  KvorumCluster cluster() {
    return client.resources(KvorumCluster.class).inNamespace(NAMESPACE).withName(NAME).get();
  }

  void edit(KvorumClusterSpec spec) {
    KvorumCluster cluster = cluster();
    cluster.setSpec(spec);
    cluster.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
    client.resource(cluster).update();
  }

  Optional<KvorumTopologySpec> topology() {
    return Optional.ofNullable(
            client.resources(KvorumTopology.class).inNamespace(NAMESPACE).withName(NAME).get())
        .map(KvorumTopology::getSpec);
  }

  StatefulSet set() {
    return client.apps().statefulSets().inNamespace(NAMESPACE).withName(NAME).get();
  }

  List<Pod> pods() {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withLabel("app.kubernetes.io/name", "kvorum")
        .list()
        .getItems();
  }

  /** The StatefulSet controller and the machines, once; whether they created or removed a pod. */
  boolean tick() {
    StatefulSet set = set();
    if (set == null) {
      return false;
    }
    boolean changed = imageChecks.tick(absentImages);
    Map<String, Pod> there = new HashMap<>();
    pods().forEach(pod -> there.put(pod.getMetadata().getName(), pod));
    int replicas = set.getSpec().getReplicas();
    for (int ordinal = 0; ordinal < replicas; ordinal++) {
      if (there.remove(NAME + "-" + ordinal) == null) {
        claim(set, ordinal);
        create(FakePods.of(set, ordinal, absentImages));
        changed = true;
      }
    }
    changed |= !there.isEmpty();
    there.values().forEach(pod -> client.resource(pod).delete());
    for (Pod pod : pods()) {
      if (pod.getMetadata().getDeletionTimestamp() != null) {
        client.resource(pod).withGracePeriod(0).delete();
        changed = true;
      }
    }
    return changed;
  }

  /** Time advances, and the operator runs each time, until neither has anything to do. */
  void turns(Reconciliation operator, int timesMax) {
    int quiet = 0;
    for (int turn = 0; turn < timesMax && quiet < QUIET; turn++) {
      boolean changed = tick();
      boolean acted = operator.once(NAMESPACE, NAME).equals(Reconciliation.AT_ONCE);
      quiet = changed || acted ? 0 : quiet + 1;
    }
  }

  /** An API server takes no status with a new pod. */
  private void create(Pod pod) {
    Pod created = client.resource(pod).create();
    created.setStatus(pod.getStatus());
    client.resource(created).updateStatus();
  }

  private void claim(StatefulSet set, int ordinal) {
    PersistentVolumeClaim template = set.getSpec().getVolumeClaimTemplates().getFirst();
    String name = "data-" + NAME + "-" + ordinal;
    if (client.persistentVolumeClaims().inNamespace(NAMESPACE).withName(name).get() == null) {
      PersistentVolumeClaim claim =
          client
              .resource(
                  new PersistentVolumeClaimBuilder(template)
                      .editMetadata()
                      .withName(name)
                      .withNamespace(NAMESPACE)
                      .endMetadata()
                      .build())
              .create();
      claim.setStatus(new PersistentVolumeClaimStatusBuilder().withPhase(claimPhase).build());
      client.resource(claim).updateStatus();
    }
  }

  @Override
  public void trust(
      Collection<Address> pods, Set<X509Certificate> authorities, Optional<String> token) {
    if (!authorities.isEmpty()) {
      pods.forEach(pod ->
          token.ifPresentOrElse(it -> tokens.put(pod.ip(), it), () -> tokens.remove(pod.ip())));
    }
  }

  private Optional<String> token(Address pod) {
    return pod.isSecured() ? Optional.ofNullable(tokens.get(pod.ip())) : Optional.empty();
  }

  @Override
  public Map<String, NodeReport> fetch(Collection<Address> pods, Duration timeout) {
    Map<String, NodeReport> reports = new HashMap<>();
    Optional<KvorumTopologySpec> topology = topology().or(() -> seen);
    if (topology.isEmpty()) {
      return reports;
    }
    seen = topology;
    Map<String, NodeReport.PeerView> peers = new HashMap<>();
    for (TopologyMember member : topology.get().members()) {
      peers.put(member.name(), new NodeReport.PeerView(true, 0));
    }
    long epoch = topology.get().epoch();
    for (Address pod : pods) {
      if (silent.contains(pod.pod()) || users.rejects(pod.pod(), token(pod))) {
        continue;
      }
      reports.put(
          pod.pod(),
          new NodeReport(
              topology.get().clusterId(),
              pod.pod(),
              new Release("1.0.0", "3..4", features),
              Set.of("moving", "removing"),
              Set.copyOf(topology.get().features()),
              epoch,
              Optional.of(
                  new NodeReport.Reported(topology.get().phase(), topology.get().members())),
              rebuilding.contains(pod.pod()) || blank.contains(pod.pod()),
              blank.contains(pod.pod()),
              Optional.empty(),
              Optional.of(new NodeReport.Transfer(epoch, true, 0, 0, 0)),
              topology.get().phase() == TopologyPhase.STABLE,
              0,
              peers,
              certificates.of(pod.pod()),
              users.of(pod.pod()),
              OptionalLong.empty(),
              OptionalLong.empty()));
    }
    return reports;
  }
}
