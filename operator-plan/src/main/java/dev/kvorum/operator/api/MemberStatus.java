package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** A member as last observed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberStatus(
    @JsonPropertyDescription("Name of its pod, which is its identity.") @Required String name,
    @JsonPropertyDescription(
            "Its state in the topology, or `Rebuilding` while it is rebuilt after the loss "
                + "of its disk, or `Down` while it is not ready.")
        @Required
        State state,
    @JsonPropertyDescription("The epoch that it last reported to apply.") @Nullable Long epoch,
    @JsonPropertyDescription("The version that it last reported to run.") @Nullable String version,
    @JsonPropertyDescription(
            "The versions of the protocol between nodes that it last reported to have, "
                + "`min..max`.")
        @Nullable String protocols,
    @JsonPropertyDescription("The image of its pod.") @Nullable String image,
    @JsonPropertyDescription("The machine that its pod is scheduled to.") @Nullable String host,
    @JsonPropertyDescription("The zone by which copies of its records are placed.")
        @Nullable String zone) {
  /** The state of a member, in one word. */
  public enum State {
    @JsonProperty("Active")
    ACTIVE,
    @JsonProperty("Joining")
    JOINING,
    @JsonProperty("Leaving")
    LEAVING,
    /** It is removed although its pod is ready again. */
    @JsonProperty("Removing")
    REMOVING,
    @JsonProperty("Moving")
    MOVING,
    /** It does not yet vote in reads of the slots being rebuilt. */
    @JsonProperty("Rebuilding")
    REBUILDING,
    /** It has no ready pod. */
    @JsonProperty("Down")
    DOWN
  }
}
