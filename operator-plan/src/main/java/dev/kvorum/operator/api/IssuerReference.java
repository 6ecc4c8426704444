package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;

/** An issuer of cert-manager, or of an add-on to it. */
public record IssuerReference(
    @JsonPropertyDescription("Its name.")
        @Required
        @Pattern("^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")
        String name,
    @JsonPropertyDescription("`Issuer`, in the cluster's namespace, or `ClusterIssuer`.")
        @Default("Issuer")
        String kind,
    @JsonPropertyDescription("The API group of its kind.") @Default("cert-manager.io")
        String group) {
  public IssuerReference {
    kind = requireNonNullElse(kind, "Issuer");
    group = requireNonNullElse(group, "cert-manager.io");
  }
}
