package dev.kvorum.operator.view;

import static java.util.Objects.requireNonNullElse;

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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The observed state of a cluster and everything that belongs to it, at one moment.
 *
 * @param now the time at which this was read
 * @param name the cluster's name, which its StatefulSet, client Service and topology share
 * @param deleting whether the cluster is being deleted
 * @param statefulSet runs the members
 * @param pods by ordinal
 * @param spare failure domains without a pod
 * @param podCreationFailure Kubernetes' reason why a pod was not created
 * @param volumes by ordinal
 * @param topology the members under an epoch
 * @param task the oldest task that has not ended
 * @param objects problems of the other objects
 * @param restore the restore that it begins with
 * @param image the image that the pods should have
 * @param specHash hash of the spec for the pods; empty if the spec is rejected
 * @param invalid why no pod can be created from this spec
 */
public record Observed(
    Instant now,
    String name,
    boolean deleting,
    KvorumClusterSpec spec,
    KvorumClusterStatus status,
    Optional<StatefulSetView> statefulSet,
    SortedMap<Integer, PodView> pods,
    SpareDomains spare,
    Optional<String> podCreationFailure,
    SortedMap<Integer, VolumeView> volumes,
    Optional<TopologyView> topology,
    Optional<TaskView> task,
    ObjectsView objects,
    RestoreView restore,
    ImageView image,
    Optional<String> specHash,
    List<Notice> invalid) {
  public Observed {
    pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
    volumes = Collections.unmodifiableSortedMap(new TreeMap<>(volumes));
    invalid = List.copyOf(invalid);
  }

  /**
   * Returns this state with the volume sizes, objects and checks that the API server has rejected,
   * and why.
   */
  public Observed withRejected(Map<String, String> whys) {
    SortedMap<Integer, VolumeView> marked = new TreeMap<>(volumes);
    marked.replaceAll((ordinal, volume) ->
        whys.containsKey(volume.name()) ? volume.rejected(whys.get(volume.name())) : volume);
    return with(marked, objects.rejected(whys), image.rejected(whys));
  }

  /** Returns this state with the problems of other objects. */
  public Observed withObjects(ObjectsView others) {
    return with(volumes, others, image);
  }

  private Observed with(
      SortedMap<Integer, VolumeView> nextVolumes, ObjectsView nextObjects, ImageView nextImage) {
    return new Observed(
        now,
        name,
        deleting,
        spec,
        status,
        statefulSet,
        pods,
        spare,
        podCreationFailure,
        nextVolumes,
        topology,
        task,
        nextObjects,
        restore,
        nextImage,
        specHash,
        invalid);
  }

  /** Returns the name of the pod with this ordinal, whether or not it is a member. */
  public String podName(int ordinal) {
    return name + "-" + ordinal;
  }

  /** Returns the ordinal in a member's name. */
  public int ordinal(TopologyMember member) {
    return Ordinals.of(member.name());
  }

  /** Returns a member's pod, if it exists. */
  public Optional<PodView> pod(TopologyMember member) {
    return Optional.ofNullable(pods.get(ordinal(member)));
  }

  /** Returns where a member's pod is scheduled. */
  public Optional<Place> place(TopologyMember member) {
    return pod(member).flatMap(PodView::place);
  }

  /** Returns the current topology, if there is one. */
  public Optional<KvorumTopologySpec> epoch() {
    return topology.map(TopologyView::spec);
  }

  /** Returns the members; none before the first topology. */
  public List<TopologyMember> members() {
    return epoch().map(KvorumTopologySpec::members).orElse(List.of());
  }

  /** Returns the members' states, the last known ones where there is no report. */
  public List<MemberStatus> memberStates() {
    return MemberStates.of(this);
  }

  /** Returns the release that a member last reported to run; features only of a current report. */
  public Release release(TopologyMember member) {
    return pod(member)
        .flatMap(this::report)
        .map(NodeReport::release)
        .or(() ->
            status.memberStates().stream()
                .filter(it -> it.name().equals(member.name()))
                .findFirst()
                .map(it ->
                    new Release(
                        requireNonNullElse(it.version(), ""),
                        requireNonNullElse(it.protocols(), ""),
                        Set.of())))
        .orElse(Release.UNKNOWN);
  }

  /**
   * Returns how many pods must stay ready when one is evicted: all members but one. While a member
   * rebuilds, although its pod is ready, it is all of them: eviction of another one would leave too
   * few copies. A pod that is still ready after it has left must not stand in for a member.
   */
  public int minAvailable() {
    long leftButReady =
        pods.values().stream()
            .filter(PodView::ready)
            .filter(pod -> epoch().flatMap(now -> now.member(pod.name())).isEmpty())
            .count();
    boolean rebuilding =
        memberStates().stream().anyMatch(it -> it.state() == MemberStatus.State.REBUILDING);
    int allowed = rebuilding ? 0 : 1;
    return Math.max(0, members().size() + Math.toIntExact(leftButReady) - allowed);
  }

  /** Returns how many pods there may be: of members, present and future, and of all volumes. */
  public int podsMax() {
    int ofVolumes = volumes.isEmpty() ? 0 : volumes.lastKey() + 1;
    return Math.max(spec.replicas(), Math.max(listedBound(), ofVolumes));
  }

  /** Returns one more than the highest listed ordinal. */
  public int listedBound() {
    return members().stream().mapToInt(member -> ordinal(member) + 1).max().orElse(0);
  }

  /** Returns a pod's report, if it is from a node of this cluster with the expected name. */
  public Optional<NodeReport> report(PodView pod) {
    return pod.report()
        .filter(report -> report.node().equals(pod.name()))
        .filter(report -> epoch().isEmpty() || report.cluster().equals(epoch().get().clusterId()));
  }
}
