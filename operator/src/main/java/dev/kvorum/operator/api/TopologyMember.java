package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** A member of a topology. */
public record TopologyMember(
    @JsonPropertyDescription("Its pod's name, which is its identity.") @Required String name,
    @JsonPropertyDescription("Its failure domain, fixed when it was first listed; may be empty.")
        @Required
        String zone,
    @JsonPropertyDescription("Whether it stays, comes or goes.") @Required MemberState state) {

  /** The same in another state. */
  public TopologyMember as(MemberState next) {
    return new TopologyMember(name, zone, next);
  }
}
