package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What to do with which member. */
@ValidationRule(
    value = "self == oldSelf",
    message = "spec cannot be changed: make another task under another name")
public record KvorumTaskSpec(
    @JsonPropertyDescription("Name of the KvorumCluster in this namespace.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription(
            "`Remove` removes a member that is lost, without its help: the others copy its "
                + "share of the records from each other. If the number of members in the "
                + "cluster's spec stays the same, a new pod of that name joins. `Restart` ends a "
                + "member's pod once all others are well; a new one of that name starts with its "
                + "volume. `Replace` deletes its volume claim as well: the others fill a new one.")
        @Required
        @Nullable TaskAction action,
    @JsonPropertyDescription("Name of the member, such as kvorum-1.")
        @Required
        @Size(min = 1, max = 63)
        String member) {
  /** A spec in which nothing is set. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  static final KvorumTaskSpec NONE = new KvorumTaskSpec(null, null, null);

  public KvorumTaskSpec {
    cluster = requireNonNullElse(cluster, "");
    member = requireNonNullElse(member, "");
  }
}
