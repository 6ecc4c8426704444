package dev.kvorum.simulation.operators;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.view.TaskView;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects of one cluster in the API; writes that were planned from older ones fail. */
public final class KubeObjects {
  static final String NAME = "n";
  static final String CLUSTER = "simulated";

  /** What writes are compared with: each object as it was when it was read. */
  record Versions(long set, long topology, long task, SortedMap<String, Long> pods) {}

  int replicas;
  String template = "t0";
  int setReplicas;
  int setReplicasReported;
  String setTemplate = template;
  boolean founded;
  KvorumTopologySpec topology;
  final SortedMap<Integer, SimPod> pods = new TreeMap<>();
  final SortedSet<Integer> volumes = new TreeSet<>();
  final SortedSet<Integer> markedVolumes = new TreeSet<>();
  final SortedMap<Integer, KvorumTopologySpec> savedTopologies = new TreeMap<>();
  private final SimPods kubelet;
  private long setVersion;
  private long topologyVersion;
  private @Nullable TaskView task;
  private long taskVersion;

  KubeObjects(KvorumTopologySpec first, SimPods kubelet) {
    this.topology = first;
    this.kubelet = kubelet;
    this.replicas = first.members().size();
    this.setReplicas = replicas;
    this.setReplicasReported = replicas;
  }

  long setVersion() {
    return setVersion;
  }

  long topologyVersion() {
    return topologyVersion;
  }

  /** The task that has not ended. */
  @Nullable TaskView task() {
    return task;
  }

  /** Somebody creates a task, or deletes it. */
  void task(@Nullable TaskView next) {
    task = next;
    taskVersion++;
  }

  long taskVersion() {
    return taskVersion;
  }

  SortedMap<String, Long> podVersions() {
    SortedMap<String, Long> ofPods = new TreeMap<>();
    pods.values().forEach(pod -> ofPods.put(pod.uid, pod.version));
    return ofPods;
  }

  /** Another client sets the number of pods. */
  void scaleByHand(int to) {
    setReplicas = to;
    setVersion++;
  }

  /**
   * Writes the changes of a step; returns whether nothing has changed since it was planned.
   *
   * @param planned when it was
   * @param wanted the template that was asked for then
   */
  boolean write(Step step, Versions planned, String wanted) {
    switch (step) {
      case Step.MarkVolume mark -> markedVolumes.add(ordinal(mark.volume()));
      case Step.SaveTopology save -> savedTopologies.put(ordinal(save.volume()), topology);
      case Step.UpdateStatefulSet _ when planned.set() == setVersion -> {
        setTemplate = wanted;
        setVersion++;
      }
      case Step.ScaleStatefulSet scale when planned.set() == setVersion -> {
        setReplicas = scale.to();
        setReplicasReported = scale.to();
        setVersion++;
      }
      case Step.MarkTopology mark when planned.topology() == topologyVersion -> {
        founded |= mark.founded();
        topologyVersion++;
      }
      case Step.NextEpoch next when planned.topology() == topologyVersion -> {
        topology = next.change().next();
        topologyVersion++;
      }
      case Step.StartTask _ when planned.task() == taskVersion && task != null ->
          task(
              new TaskView(
                  task.name(), task.action(), task.member(), true, Optional.empty(), false));
      case Step.EndTask _ when planned.task() == taskVersion -> task(null);
      case Step.RestartPod restart -> {
        SimPod pod = pods.get(ordinal(restart.pod()));
        if (pod == null
            || !pod.uid.equals(restart.uid())
            || planned.pods().getOrDefault(pod.uid, -1L) != pod.version) {
          return false;
        }
        kubelet.replace(pod);
      }
      case Step.UpdateStatefulSet _,
          Step.ScaleStatefulSet _,
          Step.MarkTopology _,
          Step.NextEpoch _,
          Step.StartTask _,
          Step.EndTask _ -> {
        return false;
      }
      default -> throw new IllegalStateException("nothing here asks for " + step);
    }
    return true;
  }

  static int ordinal(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  List<SimPod> allPods() {
    return List.copyOf(pods.values());
  }
}
