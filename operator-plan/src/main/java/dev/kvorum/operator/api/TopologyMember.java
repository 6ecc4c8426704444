package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A member of a topology. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TopologyMember(
    @JsonPropertyDescription("Name of its pod, which is its identity.") @Required String name,
    @JsonPropertyDescription("Its failure domain, by which copies are placed; may be empty.")
        @Required
        String zone,
    @JsonPropertyDescription("Whether it is active, joining, leaving, removed or moving.") @Required
        MemberState state,
    @JsonPropertyDescription("The failure domain that it gets; only while it is moving.")
        @Nullable String nextZone) {
  /** Creates a member that keeps its zone. */
  public TopologyMember(String name, String zone, MemberState state) {
    this(name, zone, state, null);
  }

  /** A copy in another state, in its present zone. */
  public TopologyMember as(MemberState next) {
    return new TopologyMember(name, zone, next);
  }

  /** A copy that moves to another zone. */
  public TopologyMember movingTo(String other) {
    return new TopologyMember(name, zone, MemberState.MOVING, other);
  }

  /** A copy as it is after the change, active and in its new zone. */
  public TopologyMember changed() {
    return new TopologyMember(name, Objects.requireNonNullElse(nextZone, zone), MemberState.ACTIVE);
  }
}
