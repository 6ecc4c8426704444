package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
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
        @Nullable String storageClass,
    @JsonPropertyDescription(
            "Retain keeps the volumes of members that left. Delete deletes each of them after "
                + "leftAfter, unless its member comes back before.")
        @Default("Retain")
        DeletionPolicy leftVolumes,
    @JsonPropertyDescription(
            "Time from when a member left, or leftVolumes was set to Delete, to the deletion of its "
                + "volume: at least 10m, such as 90m or 168h.")
        @Default("168h")
        @Pattern("^([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,5}s)?$")
        @Size(max = 20)
        @ValidationRule(
            value = "self != '' && duration(self) >= duration('10m')",
            message = "storage.leftAfter must be at least 10m")
        String leftAfter) {
  private static final Duration LEFT_AFTER_MIN = Duration.ofMinutes(10);

  @SuppressWarnings("NullAway") // what is left out comes as null
  static final StorageSpec DEFAULTS = new StorageSpec(null, null, null, null);

  public StorageSpec {
    size = requireNonNullElse(size, "10Gi");
    leftVolumes = requireNonNullElse(leftVolumes, DeletionPolicy.RETAIN);
    leftAfter = requireNonNullElse(leftAfter, "168h");
  }

  /** The time for which a volume stays after its member has left. */
  public Duration leftFor() {
    Duration asked = Duration.ofSeconds(Durations.seconds(leftAfter));
    return asked.compareTo(LEFT_AFTER_MIN) < 0 ? LEFT_AFTER_MIN : asked;
  }
}
