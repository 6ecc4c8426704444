package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One epoch of a cluster: its members and the phase of a membership change. */
public record KvorumTopologySpec(
    @JsonPropertyDescription("Id of the cluster.")
        @Required
        @ValidationRule(value = "self == oldSelf", message = "clusterId cannot be changed")
        String clusterId,
    @JsonPropertyDescription("Number of the epoch; each change increments it.")
        @Required
        @Min(1)
        @ValidationRule(value = "self >= oldSelf", message = "the epoch never goes back")
        long epoch,
    @JsonPropertyDescription("Phase of the membership change.") @Required TopologyPhase phase,
    @JsonPropertyDescription("The members, in the order of their ordinals.") @Required
        List<TopologyMember> members,
    @JsonPropertyDescription(
            "The features that are active from this epoch on, sorted. A node without one of them "
                + "cannot be a member.")
        @Default("[]")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<String> features) {
  public KvorumTopologySpec {
    members = List.copyOf(members);
    features = features == null ? null : List.copyOf(features);
  }

  @Override
  public List<String> features() {
    return requireNonNullElse(features, List.of());
  }

  /** Without a list or with an empty one it is the same: texts of it have one in either case. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KvorumTopologySpec that
        && clusterId.equals(that.clusterId)
        && epoch == that.epoch
        && phase == that.phase
        && members.equals(that.members)
        && features().equals(that.features());
  }

  @Override
  public int hashCode() {
    return Objects.hash(clusterId, epoch, phase, members, features());
  }

  /** Whether features are kept: the API server drops them where it has an older definition. */
  @JsonIgnore
  public boolean keepsFeatures() {
    return features != null;
  }

  /** The member that joins, leaves or is removed in this epoch, or those that move. */
  @JsonIgnore
  public List<TopologyMember> changing() {
    return members.stream().filter(member -> member.state() != MemberState.ACTIVE).toList();
  }

  /** The members whose reports a change waits for: all but one that is removed. */
  @JsonIgnore
  public List<TopologyMember> participants() {
    return members.stream().filter(member -> member.state() != MemberState.REMOVING).toList();
  }

  /** The member with this name. */
  public Optional<TopologyMember> member(String name) {
    return members.stream().filter(member -> member.name().equals(name)).findFirst();
  }

  /**
   * Whether another topology has the same phase and members, in any order. Nodes report the
   * features that are active, and not which of them an epoch lists.
   */
  public boolean hasContentsOf(KvorumTopologySpec other) {
    return phase == other.phase() && Set.copyOf(members).equals(Set.copyOf(other.members()));
  }

  /** The next epoch. */
  public KvorumTopologySpec next(TopologyPhase nextPhase, List<TopologyMember> nextMembers) {
    return new KvorumTopologySpec(clusterId, epoch + 1, nextPhase, nextMembers, features);
  }

  /** The next epoch, with more active features. */
  public KvorumTopologySpec activating(Collection<String> more) {
    NavigableSet<String> all = new TreeSet<>(features());
    all.addAll(more);
    return new KvorumTopologySpec(clusterId, epoch + 1, phase, members, List.copyOf(all));
  }
}
