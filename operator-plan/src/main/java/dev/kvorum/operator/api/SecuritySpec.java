package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How connections are secured. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecuritySpec(
    @JsonPropertyDescription(
            "`open`: plain, unless the settings `kvorum.tls.*` say otherwise. `standard`: members "
                + "need TLS between them, clients may use it, and there may be users. `strict`: clients "
                + "need TLS too, also at port 8090, and only users are served, unless the setting "
                + "`kvorum.auth.anonymous` says otherwise.")
        @Default("open")
        SecurityProfile profile,
    @JsonPropertyDescription(
            "Where certificates come from. Without it, `standard` and `strict` use some that the "
                + "operator issues.")
        @Nullable CertificatesSpec certificates) {
  /** A spec in which nothing is set. */
  public static final SecuritySpec DEFAULTS = new SecuritySpec(SecurityProfile.OPEN, null);

  public SecuritySpec {
    profile = requireNonNullElse(profile, SecurityProfile.OPEN);
  }

  /** Name of the user's Secret with certificates; empty: there is none. */
  public Optional<String> secret() {
    return Optional.ofNullable(certificates)
        .map(CertificatesSpec::secretRef)
        .map(SecretReference::name);
  }

  /** Who issues the certificate for clients; empty: the operator, or no one. */
  public Optional<IssuerReference> issuer() {
    return Optional.ofNullable(certificates).map(CertificatesSpec::issuerRef);
  }

  /** The names that the issuer is asked for; empty: those of the Services. */
  public List<String> dnsNames() {
    return certificates == null ? List.of() : certificates.dnsNames();
  }

  /** Whether the operator issues certificates. */
  @JsonIgnore
  public boolean issues() {
    return profile != SecurityProfile.OPEN && secret().isEmpty();
  }
}
