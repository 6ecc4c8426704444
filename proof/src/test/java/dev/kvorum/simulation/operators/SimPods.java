package dev.kvorum.simulation.operators;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The StatefulSet's controller and the kubelets: pods, and with them the simulated processes, start
 * and end as the API objects require. A node that is in no topology waits in its pod. Volumes stay,
 * except where an update replaces a serving pod: it may return on another machine, as with local
 * volumes.
 */
final class SimPods {
  private static final long TERMINATION_MILLIS = 1500;

  private final SimCluster cluster;
  private final PlannedOperator operator;
  private final SplittableRandom random;
  // Whose disks were lost with their pods, and are not rebuilt.
  private final Set<MemberId> emptied = new TreeSet<>();
  private final SplittableRandom zones;
  private final SortedMap<Integer, String> lastZones = new TreeMap<>();
  private int uids;

  SimPods(PlannedOperator operator, SplittableRandom random) {
    this.cluster = operator.cluster;
    this.operator = operator;
    this.random = random;
    // What else happens does not depend on them.
    this.zones = new SplittableRandom(cluster.profile.seed() * 59);
  }

  /** The pods of the first members, whose nodes run. */
  void applyStreamed() {
    for (SimNode node : cluster.nodes()) {
      SimPod pod = create(KubeObjects.ordinal(KubeTexts.pod(node.id)));
      pod.hasBegun = true;
      guard(node);
    }
  }

  private KubeObjects api() {
    return operator.api();
  }

  private SimPod create(int ordinal) {
    SimPod pod =
        new SimPod(
            ordinal, "uid-" + uids++, api().setTemplate, zone(ordinal), cluster.trace.millis());
    api().pods.put(ordinal, pod);
    api().volumes.add(ordinal);
    cluster.trace.note("pod " + ordinal + " of " + pod.template);
    return pod;
  }

  /** Where a pod is scheduled: mostly where the last one was. */
  private String zone(int ordinal) {
    boolean elsewhere = !operator.isOver() && zones.nextInt(3) == 0;
    String zone = SimOperator.ZONES.get(zones.nextInt(SimOperator.ZONES.size()));
    String last = lastZones.getOrDefault(ordinal, "");
    lastZones.put(ordinal, elsewhere ? zone : last);
    return elsewhere ? zone : last;
  }

  /** No process without a pod, nor one that no topology lists. */
  private void guard(SimNode node) {
    node.mayStart = () -> hasPod(node.id) && isListed(node);
  }

  private boolean hasPod(MemberId id) {
    return api().allPods().stream().anyMatch(pod -> pod.member().equals(id) && !pod.isBroken());
  }

  /** What the node's membership goes by: the topology it has kept, or the newest. */
  private boolean isListed(SimNode node) {
    Topology kept = node.disk.topology;
    return (kept == null ? operator.topology() : kept).member(node.id).isPresent();
  }

  /** What controllers and kubelets get done in a moment. */
  void tick() {
    emptied.removeIf(id -> {
      SimNode node = cluster.byId().get(id);
      return node == null || SimCluster.isComplete(node);
    });
    for (int ordinal = 0; ordinal < api().setReplicas; ordinal++) {
      if (!api().pods.containsKey(ordinal) && random.nextInt(3) == 0) {
        create(ordinal);
      }
    }
    for (SimPod pod : api().allPods()) {
      if (pod.ordinal >= api().setReplicas) {
        delete(pod);
      }
      SimNode node = cluster.byId().get(pod.member());
      if (!pod.isTerminating() && !pod.isBroken() && random.nextInt(3) == 0) {
        node = begin(pod);
      }
      pod.probe(node, cluster.trace.millis());
    }
    for (SimNode node : cluster.nodes()) {
      if (!operator.isMember(node.id) && !api().pods.containsKey(ordinal(node))) {
        takeAway(node);
      }
    }
  }

  private static int ordinal(SimNode node) {
    return KubeObjects.ordinal(KubeTexts.pod(node.id));
  }

  /** A waiting process starts once it receives a topology that lists it. */
  private @Nullable SimNode begin(SimPod pod) {
    MemberId id = pod.member();
    Topology newest = operator.topology();
    SimNode known = cluster.byId().get(id);
    if (known == null && newest.member(id).isEmpty()) {
      return null;
    }
    SimNode node = known == null ? cluster.add(id, newest) : known;
    guard(node);
    if (known == null && operator.isOver()) {
      node.install(Feature.all()); // updates have ended everywhere
    }
    Topology kept = node.disk.topology;
    if (!node.isRunning() && (kept == null || kept.member(id).isEmpty())) {
      if (newest.member(id).isEmpty() || (kept != null && newest.epoch() <= kept.epoch())) {
        // A process that was killed is started again, and waits.
        pod.hasBegun = false;
        return node;
      }
      if (kept != null) {
        // It had left: what it holds belongs to the past.
        cluster.trace.note("joins again " + id);
        node.disk.wipe();
        node.disk.topology = newest;
        pod.hasBegun = false;
      }
    }
    if (!pod.hasBegun && !(node.isAway && !operator.isOver())) {
      pod.hasBegun = true;
      node.start();
    }
    return node;
  }

  /**
   * Ends a pod for the operator, which must be sure of the others when it takes one that serves.
   */
  void replace(SimPod pod) {
    pod.mayMove = pod.ready;
    delete(pod);
  }

  /** Ends a pod after its termination period. */
  void delete(SimPod pod) {
    if (pod.isTerminating()) {
      return;
    }
    pod.terminatingMillis = cluster.trace.millis() + TERMINATION_MILLIS;
    pod.version++;
    operator.after(50 + random.nextLong(TERMINATION_MILLIS), () -> end(pod));
  }

  private void end(SimPod pod) {
    api().pods.remove(pod.ordinal);
    SimNode node = cluster.byId().get(pod.member());
    if (node == null) {
      return;
    }
    if (!operator.isMember(node.id)) {
      takeAway(node);
      return;
    }
    cluster.crash(node, false);
    if (pod.mayMove && mayLoseDisk(node) && random.nextInt(3) > 0) {
      cluster.trace.note("another machine for " + node.id);
      operator.count("moved-pod");
      node.disk.wipe();
      api().markedVolumes.remove(pod.ordinal);
      api().savedTopologies.remove(pod.ordinal);
      emptied.add(node.id);
    }
  }

  /**
   * A disk that is lost with its pod is the only one that is lost, as far as chance goes; it is for
   * the operator to take no second pod meanwhile.
   */
  private boolean mayLoseDisk(SimNode node) {
    return cluster.profile.wipes()
        && !operator.isOver()
        && cluster.nodes().stream()
            .filter(other -> other != node)
            .allMatch(other ->
                emptied.contains(other.id)
                    || (SimCluster.isComplete(other) && other.disk.isIntact()));
  }

  /** Ends the pod of a former member whose machine is lost: the next one is elsewhere. */
  void replaceLost(SimNode node) {
    api().pods.remove(ordinal(node));
    takeAway(node);
  }

  /** A former member's machine; its volume mostly stays, for a later member of that name. */
  private void takeAway(SimNode node) {
    emptied.remove(node.id);
    node.isLost = false;
    if (random.nextInt(3) == 0) {
      cluster.remove(node);
      api().volumes.remove(ordinal(node));
      api().markedVolumes.remove(ordinal(node));
      api().savedTopologies.remove(ordinal(node));
    } else {
      cluster.giveUp(node);
    }
  }
}
