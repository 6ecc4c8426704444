package dev.kvorum.simulation.operators;

import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.FeaturesSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.ImageView;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.ObjectsView;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.Release;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.RolloutView;
import dev.kvorum.operator.view.SpareDomains;
import dev.kvorum.operator.view.StatefulSetView;
import dev.kvorum.operator.view.TopologyView;
import dev.kvorum.operator.view.VolumeGrowth;
import dev.kvorum.operator.view.VolumeView;
import dev.kvorum.rebalance.TransferReport;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The parts of what an operator sees, each as it is when it is asked for. */
record KubeView(SimCluster cluster, KubeObjects api) {
  /** What takes minutes there takes seconds here. */
  private static final long FASTER = 10;

  private static final long GIB = 1L << 30;
  private static final int REPLICATION = 3;
  private static final String IMAGE = "kvorum";

  Instant now() {
    return instant(cluster.trace.millis());
  }

  private static Instant instant(long millis) {
    return Instant.EPOCH.plusMillis(FASTER * millis);
  }

  @SuppressWarnings("NullAway") // what is left out comes as null
  KvorumClusterSpec spec() {
    return new KvorumClusterSpec(
        api.replicas,
        REPLICATION,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        cluster.profile.bias() == Bias.UPGRADES
            ? new FeaturesSpec(FeatureActivation.AUTOMATIC)
            : null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  StatefulSetView set() {
    return new StatefulSetView(
        api.setReplicas,
        OptionalInt.of(api.setReplicasReported),
        api.setTemplate,
        IMAGE,
        10 * GIB,
        false,
        StatefulSetView.Template.KEPT,
        RolloutView.NONE,
        false);
  }

  TopologyView topology() {
    return new TopologyView(
        api.topology, false, true, api.founded, OptionalInt.of(REPLICATION), "1");
  }

  SortedMap<Integer, VolumeView> volumes() {
    SortedMap<Integer, VolumeView> views = new TreeMap<>();
    for (int ordinal : api.volumes) {
      Optional<String> mark =
          api.markedVolumes.contains(ordinal) ? Optional.of(KubeObjects.CLUSTER) : Optional.empty();
      String name = "data-" + KubeObjects.NAME + "-" + ordinal;
      views.put(
          ordinal,
          new VolumeView(
              name,
              name,
              true,
              Optional.empty(),
              10 * GIB,
              10 * GIB,
              mark,
              Optional.empty(),
              Optional.ofNullable(api.savedTopologies.get(ordinal)),
              false,
              VolumeGrowth.NOT_REPORTED,
              Optional.empty(),
              Optional.empty(),
              false));
    }
    return views;
  }

  /** Pods without their nodes' reports. */
  SortedMap<Integer, PodView> pods() {
    SortedMap<Integer, PodView> views = new TreeMap<>();
    api.pods.forEach((ordinal, pod) -> views.put(ordinal, pod(pod)));
    return views;
  }

  private PodView pod(SimPod pod) {
    SimNode node = cluster.byId().get(pod.member());
    boolean waits = pod.startedMillis >= 0 && !pod.hasBegun;
    boolean broken = pod.isBroken() && pod.startedMillis >= 0;
    return new PodView(
        KubeTexts.pod(pod.member()),
        pod.ordinal,
        pod.uid,
        pod.template,
        IMAGE,
        instant(pod.createdMillis),
        Optional.of(new Place("m" + pod.ordinal, pod.zone)),
        pod.startedMillis < 0 ? Optional.empty() : Optional.of(instant(pod.startedMillis)),
        pod.hasRun,
        pod.restarts,
        pod.ready,
        Optional.empty(),
        node == null || !node.isLost,
        waits ? OptionalLong.of(0) : OptionalLong.empty(),
        pod.isTerminating() ? Optional.of(instant(pod.terminatingMillis)) : Optional.empty(),
        broken ? Optional.of("its container ended with exit code 1") : Optional.empty(),
        Optional.empty());
  }

  /** The same pod with its node's report, if it answers. */
  PodView asked(PodView pod) {
    SimPod there = api.pods.get(pod.ordinal());
    SimNode node = cluster.byId().get(new MemberId("n" + pod.ordinal()));
    SimProcess process = node == null || node.isStopped() ? null : node.process();
    boolean same = there != null && there.uid.equals(pod.uid());
    return new PodView(
        pod.name(),
        pod.ordinal(),
        pod.uid(),
        pod.specHash(),
        pod.image(),
        pod.createdAt(),
        pod.place(),
        pod.startedAt(),
        pod.hasRun(),
        pod.restarts(),
        pod.ready(),
        pod.unreadySince(),
        pod.reachable(),
        pod.waits(),
        pod.terminatingAt(),
        pod.trouble(),
        same && process != null ? Optional.of(report(pod.name(), process)) : Optional.empty());
  }

  /** The report of a node's management port. */
  private static NodeReport report(String name, SimProcess process) {
    Topology topology = process.topology();
    Map<String, NodeReport.PeerView> peers = new HashMap<>();
    long waiting = 0;
    for (Member member : topology.members()) {
      long hints = process.store().count(member.id());
      waiting += hints;
      boolean connected =
          KubeTexts.pod(member.id()).equals(name) || process.isConnected(member.id());
      peers.put(KubeTexts.pod(member.id()), new NodeReport.PeerView(connected, hints));
    }
    TransferReport copy = process.core().rebalance().report();
    List<TopologyMember> members = KubeTexts.members(topology);
    return new NodeReport(
        topology.clusterId(),
        name,
        new Release("", "", Set.copyOf(Feature.labels(process.release().all()))),
        Set.of("moving", "removing"),
        Set.copyOf(Feature.labels(process.release().active())),
        process.core().epochSeen(),
        Optional.of(new NodeReport.Reported(KubeTexts.phase(topology), members)),
        !process.core().repair().hasAll(),
        process.core().repair().report().blank(),
        Optional.empty(),
        Optional.of(
            new NodeReport.Transfer(
                copy.epoch(),
                copy.state() == TransferReport.State.DONE,
                copy.sourcesDone(),
                copy.sources(),
                copy.bytes())),
        process.core().rebalance().isCleanedUp(),
        waiting,
        peers,
        Map.of(),
        "",
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** What has been read, with the volumes as they are. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  Observed observed(OperatorSnapshot seen) {
    KvorumClusterStatus status = KvorumClusterStatus.NONE.withClusterId(KubeObjects.CLUSTER);
    return new Observed(
        now(),
        KubeObjects.NAME,
        false,
        seen.spec,
        status,
        Optional.ofNullable(seen.set),
        seen.pods,
        SpareDomains.NONE,
        Optional.empty(),
        volumes(),
        Optional.ofNullable(seen.topology),
        Optional.ofNullable(seen.task),
        ObjectsView.NONE,
        RestoreView.NONE,
        new ImageView(IMAGE, IMAGE, new ImageCheck.NotNeeded()),
        Optional.of(seen.template),
        List.of());
  }
}
