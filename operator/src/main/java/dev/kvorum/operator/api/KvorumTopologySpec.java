package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Optional;

/** One epoch of a cluster: who its members are and in which phase of a change they are. */
public record KvorumTopologySpec(
    @JsonPropertyDescription("Which cluster this is of.")
        @Required
        @ValidationRule(value = "self == oldSelf", message = "clusterId cannot be changed")
        String clusterId,
    @JsonPropertyDescription("Grows by one with every change.")
        @Required
        @Min(1)
        @ValidationRule(value = "self >= oldSelf", message = "the epoch never goes back")
        long epoch,
    @JsonPropertyDescription("Where in a change of the members this epoch is.") @Required
        TopologyPhase phase,
    @JsonPropertyDescription("The members, in the order of their ordinals.") @Required
        List<TopologyMember> members) {
  public KvorumTopologySpec {
    members = List.copyOf(members);
  }

  /** The member that comes or goes in this epoch. */
  @JsonIgnore
  public Optional<TopologyMember> changing() {
    return members.stream().filter(member -> member.state() != MemberState.ACTIVE).findFirst();
  }

  /** Who a member is here. */
  public Optional<TopologyMember> member(String name) {
    return members.stream().filter(member -> member.name().equals(name)).findFirst();
  }

  /** The next epoch. */
  public KvorumTopologySpec next(TopologyPhase nextPhase, List<TopologyMember> nextMembers) {
    return new KvorumTopologySpec(clusterId, epoch + 1, nextPhase, nextMembers);
  }
}
