package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.BootstrapSpec;
import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberStatus;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.SpareDomains;
import dev.kvorum.operator.view.TaskView;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A Kubernetes with one cluster and its nodes, as far as planners see it; steps change it. */
final class World {
  static final String NAME = "kvorum";
  static final long GIB = 1L << 30;

  int replicas = 3;
  int replication = 3;
  String specHash = "a";
  String image = "kvorum:1";
  List<Notice> invalid = List.of();
  boolean paused;
  @Nullable Integer dryRunReplicas;
  long sizeGib = 10;
  DeletionPolicy deletionPolicy = DeletionPolicy.RETAIN;
  DeletionPolicy leftVolumes = DeletionPolicy.RETAIN;
  final Set<String> badHashes = new HashSet<>();
  final WorldImages images = new WorldImages();
  final WorldRollout rollout = new WorldRollout();
  boolean growable = true;
  Set<String> operations = Set.of(ZonePlanner.OPERATION, RemovalPlanner.OPERATION);
  SpareDomains spare = SpareDomains.NONE;
  Optional<String> podCreationFailure = Optional.empty();
  @Nullable BackupSpec backup;
  @Nullable BootstrapSpec bootstrap;
  RestoreView restore = RestoreView.NONE;
  Optional<String> ordered = Optional.empty();

  String clusterId = "";
  FeatureActivation activation = FeatureActivation.AUTOMATIC;
  long statusEpoch;
  List<String> statusFeatures = List.of();
  List<MemberStatus> memberStates = List.of();
  OptionalInt setReplicas = OptionalInt.empty();
  int replicasSaid;
  String setHash = "";
  String setImage = "";
  long setGib;
  List<Condition> conditions = List.of();
  boolean lossAccepted;
  Optional<KvorumTopologySpec> topology = Optional.empty();
  boolean topologyOwned;
  boolean topologyKept = true;
  boolean topologyFounded;
  OptionalInt topologyReplication = OptionalInt.empty();
  Optional<TaskView> task = Optional.empty();
  Optional<Step.EndTask> ended = Optional.empty();
  boolean objectsMissing = true;
  final SortedMap<Integer, WorldNode> nodes = new TreeMap<>();
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private int uids;

  WorldNode node(int ordinal) {
    Place own = new Place("machine-" + ordinal, "zone-" + ordinal % 3);
    return nodes.computeIfAbsent(ordinal, fresh -> new WorldNode(own));
  }

  WorldNode node(TopologyMember member) {
    return node(Integer.parseInt(member.name().substring(NAME.length() + 1)));
  }

  /** Nodes that have a pod. */
  List<WorldNode> present() {
    return nodes.values().stream().filter(node -> node.there).toList();
  }

  List<TopologyMember> members() {
    return topology.map(KvorumTopologySpec::members).orElse(List.of());
  }

  Observed observe() {
    Observed observed = new WorldView(this).observe();
    memberStates = observed.memberStates();
    statusFeatures = FeaturePlanner.active(observed);
    return observed;
  }

  /** What the status says of a step. */
  private void report(Step step) {
    Optional<Reason> reason =
        switch (step) {
          case Step.RestartPod _ -> Optional.of(Reason.RESTARTING_POD);
          case Step.Wait wait ->
              Optional.of(wait.reason()).filter(_ -> wait.phase() == ClusterPhase.UPDATING);
          default -> Optional.empty();
        };
    conditions =
        reason.stream()
            .map(it ->
                Conditions.next(List.of(), Conditions.PROGRESSING, true, it.label(), "", now)
                    .build())
            .toList();
  }

  /** What the API does with a step. */
  void apply(Step step) {
    report(step);
    switch (step) {
      case Step.Identify it -> clusterId = it.clusterId().isEmpty() ? "id" : it.clusterId();
      case Step.PutObject _ -> objectsMissing = false;
      case Step.MarkVolume it ->
          node(ordinal(it.volume())).mark(clusterId, deletionPolicy == DeletionPolicy.DELETE);
      case Step.MarkLeftVolume it ->
          node(ordinal(it.volume())).leftAt = it.left() ? Optional.of(now) : Optional.empty();
      case Step.RemoveLeftVolume it -> nodes.remove(ordinal(it.volume()));
      case Step.OwnVolume it ->
          node(ordinal(it.volume())).owned = deletionPolicy == DeletionPolicy.DELETE;
      case Step.ResizeVolume it -> node(ordinal(it.volume())).volumeGib = it.bytes() / GIB;
      case Step.CheckImage it -> images.asked.add(it.image());
      case Step.CreateStatefulSet it -> {
        setReplicas = OptionalInt.of(it.replicas());
        replicasSaid = it.replicas();
        setHash = specHash;
        setImage = image;
        setGib = sizeGib;
        rollout.forget();
      }
      case Step.UpdateStatefulSet it -> rollout.update(this, it);
      case Step.RollBack it -> rollout.back(this, it);
      case Step.RecreateStatefulSet _ -> setReplicas = OptionalInt.empty();
      case Step.ScaleStatefulSet it -> {
        setReplicas = OptionalInt.of(it.to());
        replicasSaid = it.to();
      }
      case Step.BootstrapTopology it -> {
        ordered = it.order();
        topologyReplication = OptionalInt.of(replication);
        topology =
            Optional.of(
                new KvorumTopologySpec(
                    clusterId, 1, TopologyPhase.STABLE, it.members(), it.features()));
      }
      case Step.MarkTopology it -> {
        topologyFounded |= it.founded();
        topologyOwned = deletionPolicy == DeletionPolicy.DELETE;
        topologyKept = true;
        topologyReplication = OptionalInt.of(topologyReplication.orElse(replication));
      }
      case Step.SaveTopology it -> node(ordinal(it.volume())).savedTopology = topology;
      case Step.RestoreTopology it -> {
        ordered = it.restore();
        topology = Optional.of(it.topology());
        topologyFounded = it.founded();
        topologyOwned = deletionPolicy == DeletionPolicy.DELETE;
        topologyReplication = OptionalInt.of(replication);
      }
      case Step.NextEpoch it -> topology = Optional.of(it.change().next());
      case Step.StartTask it -> task = task.map(of -> WorldTasks.started(of, it.replacedUid()));
      case Step.EndTask it -> {
        task = Optional.empty();
        ended = Optional.of(it);
      }
      case Step.RestartPod it -> end(node(ordinal(it.pod())));
      case Step.RemoveVolume it -> node(ordinal(it.volume())).volumeDeleting = true;
      // Restores are what a test says.
      default -> {}
    }
    statusEpoch = topology.map(KvorumTopologySpec::epoch).orElse(statusEpoch);
  }

  boolean isBroken(WorldNode node) {
    return badHashes.contains(node.hash)
        || images.bad.contains(node.image)
        || !images.release(node.image).features().containsAll(node.active);
  }

  static int ordinal(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  void end(WorldNode node) {
    node.there = false;
    node.started = false;
    node.ready = false;
  }

  /** What the StatefulSet's controller does with one pod. */
  void control(int ordinal) {
    if (setReplicas.isEmpty()) {
      return;
    }
    WorldNode node = node(ordinal);
    if (node.there && ordinal >= setReplicas.getAsInt()) {
      end(node);
    } else if (!node.there && ordinal < setReplicas.getAsInt()) {
      node.there = true;
      node.uid = "uid-" + ++uids;
      node.useVolume();
      node.hash = setHash;
      node.image = setImage;
      if (node.volumeGib == 0) {
        node.volumeGib = setGib;
      }
    }
  }

  /** Whether a node has a topology that lists it; otherwise it waits for one. */
  boolean answers(WorldNode node) {
    return topology.isPresent()
        ? members().stream().anyMatch(member -> node(member) == node)
        : node.epochSeen > 0 && !node.decommissioned;
  }

  /** Whether the newest topology that any node has seen is on the volume of one that can say so. */
  boolean hasCopy() {
    long newest =
        nodes.values().stream()
            .filter(node -> node.mark.isPresent())
            .mapToLong(node -> node.epochSeen)
            .max()
            .orElse(0);
    return newest > 0
        && nodes.values().stream()
            .filter(node -> node.mark.isPresent() && !node.decommissioned)
            .anyMatch(node -> node.epochSeen == newest);
  }

  /** Whether a volume carries the topology for a cluster that is created again. */
  boolean isSaved() {
    return nodes.values().stream().anyMatch(it -> it.savedTopology.isPresent());
  }

  /**
   * The topology is deleted, and with it the cluster with all but its volumes if it is asked for.
   */
  void loseTopology(boolean withCluster) {
    topology = Optional.empty();
    if (withCluster) {
      clusterId = "";
      statusEpoch = 0;
      memberStates = List.of();
      statusFeatures = List.of();
      setReplicas = OptionalInt.empty();
      nodes.values().forEach(this::end);
    }
  }

  /** A node receives the topology. */
  void see(WorldNode node) {
    KvorumTopologySpec now = topology.orElseThrow();
    node.decommissioned = now.members().stream().noneMatch(member -> node(member) == node);
    node.epochSeen = now.epoch();
    now.features().stream()
        .filter(images.release(node.image).features()::contains)
        .forEach(node.active::add);
    node.reported = Optional.of(new NodeReport.Reported(now.phase(), now.members()));
  }

  /** Whether a member has data, or a person has accepted that none has. */
  private boolean hasSource() {
    return lossAccepted || members().stream().anyMatch(member -> !node(member).blank);
  }

  /** What a node gets done in a moment. */
  void progress(WorldNode node) {
    if (!node.there || node.dead) {
      return;
    }
    if (!node.started) {
      node.started = true;
    } else if (!isBroken(node) && topology.isPresent()) {
      long epoch = topology.get().epoch();
      if (node.epochSeen != epoch) {
        see(node);
      } else if (node.rebuilding) {
        node.rebuilding = node.blank && !hasSource();
        node.blank = node.rebuilding;
      } else if (topology.get().phase() != TopologyPhase.STABLE) {
        node.transferred = epoch;
      } else {
        node.cleanedUp = epoch;
      }
      node.ready = members().stream().anyMatch(member -> node(member) == node);
      node.hintsFor = 0;
    }
  }

  /** Kubernetes and the nodes do all that needs no operator. */
  void converge() {
    for (int round = 0; round < 6; round++) {
      for (int ordinal = 0; ordinal < 12; ordinal++) {
        control(ordinal);
        progress(node(ordinal));
      }
    }
  }

  /** Steps until there is none to take; how many were taken. */
  Step run() {
    for (int taken = 0; taken < 400; taken++) {
      converge();
      Step step = ClusterPlanner.plan(observe()).step();
      if (step instanceof Step.Wait || step instanceof Step.Reject || step instanceof Step.Rest) {
        return step;
      }
      apply(step);
    }
    throw new AssertionError("takes steps for ever: " + ClusterPlanner.plan(observe()));
  }
}
