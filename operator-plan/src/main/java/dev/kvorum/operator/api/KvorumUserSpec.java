package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who a user is, and what it may do. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.cluster == oldSelf.cluster",
    message = "cluster cannot be changed: make another user under another name")
public record KvorumUserSpec(
    @JsonPropertyDescription("Name of the KvorumCluster in this namespace.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription("What the user proves itself with.") @Required
        AuthenticationSpec authentication,
    @JsonPropertyDescription("Names of KvorumRoles of the cluster, whose rules it has.")
        @Size(max = 64)
        List<String> roles,
    @JsonPropertyDescription("Rules of its own, beside those of its roles.") @Size(max = 256)
        List<KeyRule> rules,
    @JsonPropertyDescription(
            "What it may use of each node; without it, no limit but the node's own.")
        @Nullable LimitsSpec limits,
    @JsonPropertyDescription(
            "Whether it may accept a loss of data, through port 8090 of a node. Needs the type token "
                + "or serviceAccount.")
        @Nullable Boolean administrator,
    @JsonPropertyDescription(
            "Whether it may see state and metrics at port 8090 of nodes where requests without "
                + "credentials may do nothing. An administrator may. Needs the type token or "
                + "serviceAccount.")
        @Nullable Boolean observer) {
  /** A spec in which nothing is set. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  static final KvorumUserSpec NONE = new KvorumUserSpec(null, null, null, null, null, null, null);

  public KvorumUserSpec {
    cluster = requireNonNullElse(cluster, "");
    authentication = requireNonNullElse(authentication, AuthenticationSpec.NONE);
    roles = List.copyOf(requireNonNullElse(roles, List.of()));
    rules = List.copyOf(requireNonNullElse(rules, List.of()));
  }
}
