package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What another number of members would change. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanStatus(
    @JsonPropertyDescription("The number of members that this is about: spec.dryRunReplicas.")
        @Required
        Integer replicas,
    @JsonPropertyDescription(
            "Whether the operator would do it and each member has room for its data at every step. "
                + "Left out where that is unknown.")
        @Nullable Boolean fits,
    @JsonPropertyDescription("Why it does not fit, or why there is no plan.")
        @Nullable String reason,
    @JsonPropertyDescription("What would be done, or why not.") String message,
    @JsonPropertyDescription(
            "How many copies of slots are sent to other members, at all steps together. There are "
                + "4096 slots, each with `replication` copies.")
        @Nullable Integer movedSlots,
    @JsonPropertyDescription(
            "Roughly how long it takes, such as `12m`: at each step, the member with most data "
                + "reads it three times, at `kvorum.rebalance.rate-max`. Longer with small values "
                + "or slow disks.")
        @Nullable String roughDuration,
    @JsonPropertyDescription("The members that there would be.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<PlannedMember> members,
    @JsonPropertyDescription(
            "What the failure of one zone or one machine would do to the present members: ten of "
                + "each at most, the worst first.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<LossStatus> losses) {
  public PlanStatus {
    message = requireNonNullElse(message, "");
    members = List.copyOf(requireNonNullElse(members, List.of()));
    losses = List.copyOf(requireNonNullElse(losses, List.of()));
  }
}
