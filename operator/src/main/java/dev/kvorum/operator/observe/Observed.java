package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberStatus;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.TopologyMember;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A cluster and all that belongs to it at one moment.
 *
 * @param now when this was read
 * @param name the cluster's name, which its StatefulSet, client Service and topology share
 * @param deleting whether the cluster is on its way out
 * @param statefulSet runs the members
 * @param pods by ordinal
 * @param unmade Kubernetes' reason why a pod was not created
 * @param volumes by ordinal
 * @param topology the members under an epoch
 * @param objects problems of the others
 * @param image what the pods should be made with
 * @param specHash of what the pods should be made from; empty when that is refused
 * @param invalid why no pod can be made from this spec
 */
public record Observed(
    Instant now,
    String name,
    boolean deleting,
    KvorumClusterSpec spec,
    KvorumClusterStatus status,
    Optional<StatefulSetView> statefulSet,
    SortedMap<Integer, PodView> pods,
    Optional<String> unmade,
    SortedMap<Integer, VolumeView> volumes,
    Optional<TopologyView> topology,
    ObjectsView objects,
    ImageView image,
    Optional<String> specHash,
    List<Notice> invalid) {
  public Observed {
    pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
    volumes = Collections.unmodifiableSortedMap(new TreeMap<>(volumes));
    invalid = List.copyOf(invalid);
  }

  /** The same, knowing which volumes the API refuses another size, and which objects, and why. */
  Observed withRefused(Map<String, String> whys) {
    SortedMap<Integer, VolumeView> marked = new TreeMap<>(volumes);
    marked.replaceAll((ordinal, volume) ->
        whys.containsKey(volume.name()) ? volume.refused(whys.get(volume.name())) : volume);
    return with(marked, objects.refused(whys));
  }

  /** The same with the problems of other objects. */
  Observed withObjects(ObjectsView others) {
    return with(volumes, others);
  }

  private Observed with(SortedMap<Integer, VolumeView> nextVolumes, ObjectsView nextObjects) {
    return new Observed(
        now,
        name,
        deleting,
        spec,
        status,
        statefulSet,
        pods,
        unmade,
        nextVolumes,
        topology,
        nextObjects,
        image,
        specHash,
        invalid);
  }

  /** The pod that is, or would be, a member. */
  public String podName(int ordinal) {
    return name + "-" + ordinal;
  }

  /** The ordinal in a member's name. */
  public int ordinal(TopologyMember member) {
    return Ordinals.of(member.name());
  }

  /** The pod of a member. */
  public Optional<PodView> pod(TopologyMember member) {
    return Optional.ofNullable(pods.get(ordinal(member)));
  }

  /** The topology that the members receive. */
  public Optional<KvorumTopologySpec> epoch() {
    return topology.map(TopologyView::spec);
  }

  /** The members; none before the cluster is founded. */
  public List<TopologyMember> members() {
    return epoch().map(KvorumTopologySpec::members).orElse(List.of());
  }

  /** The members as they were seen last. */
  public List<MemberStatus> memberStates() {
    return MemberStates.of(this);
  }

  /** Whether no member is being rebuilt: with another one away, records would be too few. */
  boolean isComplete() {
    return memberStates().stream().noneMatch(it -> it.state() == MemberStatus.State.REBUILDING);
  }

  /** One more than the highest listed ordinal. */
  public int listedBound() {
    return members().stream().mapToInt(member -> ordinal(member) + 1).max().orElse(0);
  }

  /** A pod's report, if it is a node of this cluster with the expected name. */
  public Optional<NodeReport> report(PodView pod) {
    return pod.report()
        .filter(report -> report.node().equals(pod.name()))
        .filter(report -> epoch().isEmpty() || report.cluster().equals(epoch().get().clusterId()));
  }
}
