package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ServiceAccount whose tokens prove a user. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceAccountReference(
    @JsonPropertyDescription("Its name.")
        @Required
        @Size(min = 1, max = ServiceAccountReference.NAME_CHARS_MAX)
        @Pattern(ServiceAccountReference.NAME)
        @Nullable String name,
    @JsonPropertyDescription("Its namespace; without it, the user's own.")
        @Size(min = 1, max = ServiceAccountReference.NAMESPACE_CHARS_MAX)
        @Pattern(ServiceAccountReference.NAMESPACE)
        @Nullable String namespace) {
  static final int NAME_CHARS_MAX = 253;
  static final int NAMESPACE_CHARS_MAX = 63;
  static final String NAMESPACE = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
  static final String NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

  /**
   * Namespace and name with a slash between them; empty if they are not what the API server checks.
   *
   * @param own the namespace of the user
   */
  public Optional<String> inFull(String own) {
    String where = namespace == null ? own : namespace;
    return name != null
            && name.length() <= NAME_CHARS_MAX
            && name.matches(NAME)
            && where.length() <= NAMESPACE_CHARS_MAX
            && where.matches(NAMESPACE)
        ? Optional.of(where + "/" + name)
        : Optional.empty();
  }
}
