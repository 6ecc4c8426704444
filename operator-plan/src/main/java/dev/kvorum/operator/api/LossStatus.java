package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** What the failure of a zone or a machine would do. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LossStatus(
    @JsonPropertyDescription("The zone that fails.") @Nullable String zone,
    @JsonPropertyDescription("The machine that fails.") @Nullable String host,
    @JsonPropertyDescription("Number of members in it.") @Required Integer members,
    @JsonPropertyDescription(
            "Share of slots, such as `33%`, of whose `replication` copies no majority is left.")
        @Required
        String withoutQuorum) {}
