package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Allows something with some keys. */
public record KeyRule(
    @JsonPropertyDescription("The keys.") @Required @Nullable KeysSpec keys,
    @JsonPropertyDescription(
            "What is allowed: `get` (GET and HEAD of a key, and to explain it), `put`, `delete`, "
                + "`range` (to list or count them).")
        @Required
        @Size(min = 1, max = 4)
        List<KeyVerb> verbs) {
  public KeyRule {
    verbs =
        requireNonNullElse(verbs, List.<KeyVerb>of()).stream().filter(Objects::nonNull).toList();
  }
}
