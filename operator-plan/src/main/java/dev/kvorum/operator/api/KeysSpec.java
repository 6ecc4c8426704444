package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Keys: all that begin with a prefix, or one. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.prefix) != has(self.exact)",
    message = "keys needs either prefix or exact")
public record KeysSpec(
    @JsonPropertyDescription(
            "All keys that begin with it, in at most 1024 bytes of UTF-8; an empty one is that of "
                + "all keys.")
        @Size(max = 1024)
        @Nullable String prefix,
    @JsonPropertyDescription("One key, in at most 1024 bytes of UTF-8.") @Size(min = 1, max = 1024)
        @Nullable String exact) {}
