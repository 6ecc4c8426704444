package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may connect to members. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NetworkSpec(
    @JsonPropertyDescription(
            "`Managed`: a NetworkPolicy admits members to port 7400, and to the others what is "
                + "listed here. `None`: there is no NetworkPolicy.")
        @Default("Managed")
        NetworkPolicyMode policy,
    @JsonPropertyDescription(
            "Who may connect to port 8080 beside load tests and `helm test`, as in a "
                + "NetworkPolicy's `from`. If left out: everyone, and with `security.profile` "
                + "`strict` no one.")
        @Nullable List<NetworkPolicyPeer> clients,
    @JsonPropertyDescription(
            "Who may connect to port 8090 beside the operator. If left out: with "
                + "`security.profile` `open` everyone, otherwise the pods with "
                + "`app.kubernetes.io/name: prometheus` in any namespace.")
        @Nullable List<NetworkPolicyPeer> monitoring) {
  /** A spec in which nothing is set. */
  public static final NetworkSpec DEFAULTS = new NetworkSpec(NetworkPolicyMode.MANAGED, null, null);

  public NetworkSpec {
    policy = requireNonNullElse(policy, NetworkPolicyMode.MANAGED);
    clients = clients == null ? null : List.copyOf(clients);
    monitoring = monitoring == null ? null : List.copyOf(monitoring);
  }
}
