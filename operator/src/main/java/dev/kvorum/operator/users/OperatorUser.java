package dev.kvorum.operator.users;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.resources.Digests;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/**
 * The operator as a user of a cluster: it sees the state of nodes also where requests without
 * credentials may do nothing, whatever users are declared.
 */
final class OperatorUser {
  /** No KvorumUser's name has a colon. */
  static final String NAME = "system:operator";

  /** Key of its token in the Secret {@code C-auth}, which pods are not mounted. */
  static final String KEY = "operator-token";

  private OperatorUser() {}

  /** Its token in the Secret {@code C-auth}; empty if there is none, or none that can be one. */
  static Optional<String> token(Secret secret) {
    return TokenSecrets.token(secret, KEY);
  }

  /** A new token. */
  static String newToken() {
    return TokenSecrets.random("operator");
  }

  /** As nodes read it. */
  static ObjectNode json(String token) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", NAME);
    json.put("tokenSha256", Digests.sha256(token));
    json.put("observer", true);
    json.putArray("rules");
    return json;
  }
}
