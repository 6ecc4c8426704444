package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where certificates come from. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "has(self.secretRef) != has(self.issuerRef)",
    message = "either secretRef or issuerRef is required")
@ValidationRule(
    value = "!has(self.dnsNames) || has(self.issuerRef)",
    message = "dnsNames needs issuerRef: certificates in a Secret have names")
public record CertificatesSpec(
    @JsonPropertyDescription("A Secret in the cluster's namespace, with all certificates.")
        @Nullable SecretReference secretRef,
    @JsonPropertyDescription(
            "An issuer of cert-manager, which issues the certificate for clients where the "
                + "profile is not `open`. Those of members are issued by the operator.")
        @Nullable IssuerReference issuerRef,
    @JsonPropertyDescription(
            "Names for the certificate of the issuer, instead of those of the cluster's Services "
                + "and localhost.")
        List<String> dnsNames) {
  public CertificatesSpec {
    dnsNames = List.copyOf(dnsNames == null ? List.of() : dnsNames);
  }
}
