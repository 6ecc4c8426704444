package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How a user proves who it is. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.type == 'token' || !has(self.secretRef)",
    message = "secretRef needs the type token")
@ValidationRule(
    value = "self.type == 'tls' || !has(self.commonName)",
    message = "commonName needs the type tls")
@ValidationRule(
    value = "(self.type == 'serviceAccount') == has(self.serviceAccount)",
    message = "serviceAccount is needed for the type serviceAccount, and for no other")
public record AuthenticationSpec(
    @JsonPropertyDescription(
            "`token`: the header `Authorization: Bearer <token>`. `tls`: a client certificate, for "
                + "which the cluster's Secret needs `clients-ca.crt`. `serviceAccount`: the same "
                + "header, with a token of a ServiceAccount whose audience is "
                + "`kvorum.dev/<namespace>/<cluster>`.")
        @Required
        @Nullable AuthenticationType type,
    @JsonPropertyDescription(
            "A Secret of yours with the token. Without it, the operator makes a token and stores "
                + "it in the Secret `<user>-token`.")
        @Nullable TokenReference secretRef,
    @JsonPropertyDescription(
            "Common name of the client certificate; without it, the user's own name.")
        @Size(min = 1, max = 256)
        @Nullable String commonName,
    @JsonPropertyDescription("The ServiceAccount whose tokens are the user's.")
        @Nullable ServiceAccountReference serviceAccount) {
  /** Nothing that can be proved. */
  static final AuthenticationSpec NONE = new AuthenticationSpec(null, null, null, null);
}
