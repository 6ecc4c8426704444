package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** A member of a topology. */
public record TopologyMember(
    @JsonPropertyDescription("Name of its pod, which is its identity.") @Required String name,
    @JsonPropertyDescription("Its failure domain, fixed when it is first listed; may be empty.")
        @Required
        String zone,
    @JsonPropertyDescription("Whether it is active, joining or leaving.") @Required
        MemberState state) {

  /** A copy in another state. */
  public TopologyMember as(MemberState next) {
    return new TopologyMember(name, zone, next);
  }
}
