package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The rules of a role. */
@ValidationRule(
    value = "self.cluster == oldSelf.cluster",
    message = "cluster cannot be changed: make another role under another name")
public record KvorumRoleSpec(
    @JsonPropertyDescription("Name of the KvorumCluster in this namespace.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription("What its users may do. Rules add up; what none allows is rejected.")
        @Required
        @Size(max = 256)
        List<KeyRule> rules) {
  /** A spec in which nothing is set. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  static final KvorumRoleSpec NONE = new KvorumRoleSpec(null, null);

  public KvorumRoleSpec {
    cluster = requireNonNullElse(cluster, "");
    rules = List.copyOf(requireNonNullElse(rules, List.of()));
  }
}
