package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a schedule, from which the operator continues it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumBackupScheduleStatus(
    @JsonPropertyDescription("Generation of the spec that this status is of.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("The time of the schedule at which the last backup was ordered.")
        @Nullable String scheduledAt,
    @JsonPropertyDescription("The next time.") @Nullable String nextAt,
    @JsonPropertyDescription("The newest complete backup.") @Nullable LastBackup lastBackup,
    @JsonPropertyDescription("Id of the backup after which old ones were last deleted.")
        @Nullable String prunedAfter,
    @JsonPropertyDescription("The time of the schedule at which a verification was last ordered.")
        @Nullable String verificationScheduledAt,
    @JsonPropertyDescription("The last verification that passed.")
        @Nullable Verification lastVerification,
    @JsonPropertyDescription("Ready, BackedUp, Pruned and Verified, with reason and message.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumBackupScheduleStatus NONE =
      new KvorumBackupScheduleStatus(null, null, null, null, null, null, null, null);

  public KvorumBackupScheduleStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** A complete backup. */
  public record LastBackup(
      @JsonPropertyDescription("Name of its KvorumBackup.") String name,
      @JsonPropertyDescription("Its id in the object store.") String id,
      @JsonPropertyDescription("Every write acknowledged before is in it.") String began) {}

  /** A verification that passed. */
  public record Verification(
      @JsonPropertyDescription("Id of the backup.") String id,
      @JsonPropertyDescription("How thoroughly.") String level,
      @JsonPropertyDescription("When it ended.") String at,
      @JsonPropertyDescription("What was compared.") String summary) {}
}
