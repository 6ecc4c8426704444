package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How connections are secured. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecuritySpec(
    @JsonPropertyDescription("Certificates for TLS, which the settings `kvorum.tls.*` turn on.")
        @Nullable CertificatesSpec certificates) {}
