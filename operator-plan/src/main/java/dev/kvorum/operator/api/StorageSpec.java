package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The volume of each member. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "has(self.storageClass) == has(oldSelf.storageClass) && (!has(self.storageClass) ||"
            + " self.storageClass == oldSelf.storageClass)",
    message = "storage.storageClass cannot be changed: volumes stay in the class they were made in")
public record StorageSpec(
    @JsonPropertyDescription(
            "Size of the volume. It may be increased later if the storage class allows it, and go "
                + "back to the size that the volumes have.")
        @Default("10Gi")
        @Size(max = 32)
        @Pattern("^[0-9]+(\\.[0-9]+)?(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$")
        String size,
    @JsonPropertyDescription("Storage class of the volume. If left out, the default class.")
        @Nullable String storageClass) {
  static final StorageSpec DEFAULTS = new StorageSpec("10Gi", null);

  public StorageSpec {
    size = requireNonNullElse(size, "10Gi");
  }
}
