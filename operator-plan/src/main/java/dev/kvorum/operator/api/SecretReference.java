package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;

/** A Secret with the files of a node's directory for TLS. */
public record SecretReference(
    @JsonPropertyDescription(
            "Its name. It has `http.crt` and `http.key`, `peer-ca.crt`, and `<pod>.crt` and "
                + "`<pod>.key` of each member. Pods are mounted all of it, and read it again when "
                + "it changes.")
        @Required
        @Pattern("^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")
        String name) {}
