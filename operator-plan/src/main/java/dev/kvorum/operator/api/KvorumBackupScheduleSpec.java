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

/** When backups are made and verified, and which are kept. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.cluster == oldSelf.cluster",
    message = "cluster cannot be changed: make another schedule under another name")
public record KvorumBackupScheduleSpec(
    @JsonPropertyDescription(
            "Name of the KvorumCluster in this namespace. Its spec.backup says where backups go.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription(
            "When backups are made, in the five fields of cron: minute, hour, day of month, month, "
                + "day of week.")
        @Required
        @Size(min = 9, max = 100)
        String cron,
    @JsonPropertyDescription("Time zone of all times, such as Europe/Berlin.")
        @Default("UTC")
        @Size(min = 1, max = 60)
        String timeZone,
    @JsonPropertyDescription("While true, no backup begins; those that run go on.")
        @Default("false")
        Boolean suspend,
    @JsonPropertyDescription("Whether the first backup is made at once.") @Default("false")
        Boolean immediate,
    @JsonPropertyDescription(
            "Longest duration of a backup and of each other Job, such as 90m or 6h; then it fails.")
        @Default("6h")
        @Pattern("^([0-9]{1,3}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$")
        @Size(min = 2)
        String deadline,
    @JsonPropertyDescription(
            "Which of this schedule's backups are kept. Without it, all; other backups always are.")
        @Nullable RetentionSpec retention,
    @JsonPropertyDescription("How and when the newest backup of this schedule is verified.")
        @Nullable VerifySpec verify) {
  /** A spec in which nothing is set. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  static final KvorumBackupScheduleSpec NONE =
      new KvorumBackupScheduleSpec(null, null, null, null, null, null, null, null);

  public KvorumBackupScheduleSpec {
    cluster = requireNonNullElse(cluster, "");
    cron = requireNonNullElse(cron, "");
    timeZone = requireNonNullElse(timeZone, "UTC");
    suspend = requireNonNullElse(suspend, false);
    immediate = requireNonNullElse(immediate, false);
    deadline = requireNonNullElse(deadline, "6h");
  }
}
