package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;

/** An object in the same namespace. */
public record ObjectReference(
    @JsonPropertyDescription("Its name.")
        @Required
        @Pattern("^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")
        String name) {}
