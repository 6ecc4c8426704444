package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.FeaturesSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.StorageSpec;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.ImageView;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.ObjectsView;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.StatefulSetView;
import dev.kvorum.operator.view.TopologyView;
import dev.kvorum.operator.view.VolumeView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A world as an operator sees it. */
record WorldView(World world) {
  Observed observe() {
    SortedMap<Integer, PodView> pods = new TreeMap<>();
    SortedMap<Integer, VolumeView> volumes = new TreeMap<>();
    world.nodes.forEach((ordinal, node) -> {
      if (node.there) {
        pods.put(ordinal, pod(ordinal, node));
      }
      if (node.volumeGib > 0) {
        volumes.put(ordinal, volume(ordinal, node));
      }
    });
    return new Observed(
        world.now,
        World.NAME,
        false,
        spec(),
        status(),
        statefulSet(),
        pods,
        world.spare,
        world.podCreationFailure,
        volumes,
        world.topology.map(it ->
            new TopologyView(
                it,
                world.topologyOwned,
                world.topologyKept,
                world.topologyFounded,
                world.topologyReplication,
                "1")),
        world.task,
        ObjectsView.of(world.objectsMissing ? List.of("Service/kvorum") : List.of(), List.of()),
        world.restore,
        new ImageView(world.image, world.image, world.images.check(world)),
        world.invalid.isEmpty() ? Optional.of(world.specHash) : Optional.empty(),
        world.invalid);
  }

  @SuppressWarnings("NullAway") // what is left out comes as null
  private KvorumClusterSpec spec() {
    StorageSpec storage = new StorageSpec(world.sizeGib + "Gi", null, world.leftVolumes, "24h");
    return new KvorumClusterSpec(
        world.replicas,
        world.replication,
        null,
        storage,
        null,
        null,
        null,
        null,
        null,
        null,
        world.paused,
        world.deletionPolicy,
        null,
        new FeaturesSpec(world.activation),
        world.rollout.spec,
        null,
        null,
        world.backup,
        world.bootstrap,
        null,
        world.dryRunReplicas);
  }

  @SuppressWarnings("NullAway") // what is left out comes as null
  private KvorumClusterStatus status() {
    return new KvorumClusterStatus(
        1L,
        0,
        "",
        0,
        0,
        null,
        world.statusEpoch,
        null,
        null,
        world.statusFeatures,
        null,
        null,
        world.clusterId.isEmpty() ? null : world.clusterId,
        null,
        null,
        null,
        null,
        null,
        world.memberStates,
        world.conditions);
  }

  private Optional<StatefulSetView> statefulSet() {
    return world.setReplicas.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StatefulSetView(
                world.setReplicas.getAsInt(),
                OptionalInt.of(world.replicasSaid),
                world.setHash,
                world.setImage,
                world.setGib * World.GIB,
                false,
                world.rollout.template,
                world.rollout.view(),
                false));
  }

  private VolumeView volume(int ordinal, WorldNode node) {
    return new VolumeView(
        "data-" + World.NAME + "-" + ordinal,
        node.volumeUid,
        node.bound,
        Optional.empty(),
        node.volumeGib * World.GIB,
        node.capacityGib * World.GIB,
        node.mark,
        node.leftAt,
        node.savedTopology,
        node.owned,
        node.growth,
        Optional.of(world.growable),
        node.rejected,
        node.volumeDeleting);
  }

  private PodView pod(int ordinal, WorldNode node) {
    boolean broken = node.started && world.isBroken(node);
    return new PodView(
        World.NAME + "-" + ordinal,
        ordinal,
        node.uid,
        node.hash,
        node.image,
        node.created,
        Optional.of(node.place),
        node.started ? Optional.of(world.now.minusSeconds(100)) : Optional.empty(),
        node.started,
        0,
        node.ready && !node.dead && node.reachable,
        node.unreadySince,
        node.reachable,
        node.started && !node.dead && !world.answers(node)
            ? OptionalLong.of(node.decommissioned ? node.epochSeen : 0)
            : OptionalLong.empty(),
        node.stuck ? Optional.of(world.now.minusSeconds(60)) : Optional.empty(),
        broken ? Optional.of("its container ended with exit code 1") : Optional.empty(),
        node.started && !broken && !node.dead && !node.silent && world.answers(node)
            ? Optional.of(report(ordinal, node))
            : Optional.empty());
  }

  private NodeReport report(int ordinal, WorldNode node) {
    Map<String, NodeReport.PeerView> peers = new HashMap<>();
    for (TopologyMember member : world.members()) {
      WorldNode peer = world.node(member);
      peers.put(
          member.name(),
          new NodeReport.PeerView(peer.started && !peer.dead && !peer.unconnected, peer.hintsFor));
    }
    return new NodeReport(
        world.clusterId,
        World.NAME + "-" + ordinal,
        world.images.release(node.image),
        world.operations,
        node.active,
        node.epochSeen,
        node.reported,
        node.rebuilding,
        node.blank,
        node.restoring,
        Optional.of(
            new NodeReport.Transfer(
                node.epochSeen, node.transferred == node.epochSeen, 2, 4, node.copied)),
        node.cleanedUp == node.epochSeen,
        0,
        peers,
        Map.of(),
        "",
        node.diskFree,
        node.data);
  }
}
