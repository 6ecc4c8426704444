package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Where certificates come from. */
public record CertificatesSpec(
    @JsonPropertyDescription("A Secret in the cluster's namespace.") @Required
        SecretReference secretRef) {}
