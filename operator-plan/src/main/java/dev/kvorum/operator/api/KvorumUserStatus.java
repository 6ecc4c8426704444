package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has become of a user. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumUserStatus(
    @JsonPropertyDescription("The generation that this status is of.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Name of the Secret with its token, under the key `token`.")
        @Nullable String secretName,
    @JsonPropertyDescription("Ready, with reason and message.") List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumUserStatus NONE = new KvorumUserStatus(null, null, null);

  public KvorumUserStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }
}
