package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** A member that there would be. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlannedMember(
    @JsonPropertyDescription("Name of its pod, which is its identity.") @Required String name,
    @JsonPropertyDescription(
            "Its zone. Without a pod, of the zones that have members the one with the fewest, as "
                + "Kubernetes spreads pods; it may become another one.")
        @Nullable String zone,
    @JsonPropertyDescription("The number of slots that it would keep.") @Required Integer slots,
    @JsonPropertyDescription("The number of slots that it keeps now.") @Required Integer slotsNow,
    @JsonPropertyDescription(
            "Roughly the size of these slots, such as `70 MiB`, if all members report theirs and "
                + "slots are of equal size.")
        @Nullable String roughSize) {}
