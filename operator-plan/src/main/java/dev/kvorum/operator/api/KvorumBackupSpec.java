package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What is backed up. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self == oldSelf",
    message = "spec cannot be changed: make another backup under another name")
public record KvorumBackupSpec(
    @JsonPropertyDescription(
            "Name of the KvorumCluster in this namespace. Its spec.backup says where backups go.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription(
            "Longest time from the creation of this object to the end of the backup, such as 90m or "
                + "6h; then it fails.")
        @Default("6h")
        @Pattern("^([0-9]{1,3}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$")
        @Size(min = 2)
        String deadline,
    @JsonPropertyDescription(
            "Name of the KvorumBackupSchedule whose retention applies to it. Without one it is kept.")
        @Size(min = 1, max = 30)
        @Nullable String schedule) {
  /** A spec in which nothing is set. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  static final KvorumBackupSpec NONE = new KvorumBackupSpec(null, null, null);

  public KvorumBackupSpec {
    cluster = requireNonNullElse(cluster, "");
    deadline = requireNonNullElse(deadline, "6h");
  }
}
