package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** What a user proves itself with. */
public enum AuthenticationType {
  /** A token in the header Authorization. */
  @JsonProperty("token")
  TOKEN,

  /** A client certificate. */
  @JsonProperty("tls")
  TLS,

  /** A token that Kubernetes makes for a ServiceAccount, in the header Authorization. */
  @JsonProperty("serviceAccount")
  SERVICE_ACCOUNT;

  /** Returns null for a type of a newer operator: one such user must not hide the others. */
  @JsonCreator
  static @Nullable AuthenticationType of(String label) {
    return switch (label) {
      case "token" -> TOKEN;
      case "tls" -> TLS;
      case "serviceAccount" -> SERVICE_ACCOUNT;
      default -> null;
    };
  }
}
