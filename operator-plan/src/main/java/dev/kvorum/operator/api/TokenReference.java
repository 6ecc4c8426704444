package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;

/** A Secret with the token of a user. */
public record TokenReference(
    @JsonPropertyDescription(
            "Its name. Its key `token` has 16 to 1024 visible ASCII characters, made at random.")
        @Required
        @Pattern("^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")
        String name) {}
