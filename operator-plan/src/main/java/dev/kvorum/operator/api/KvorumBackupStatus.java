package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a backup, from which the operator continues it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumBackupStatus(
    @JsonPropertyDescription("The phase of the backup.") @Nullable TaskPhase phase,
    @JsonPropertyDescription("Its id in the object store.") @Nullable String id,
    @JsonPropertyDescription("The id of its cluster.") @Nullable String clusterId,
    @JsonPropertyDescription("When its Job was ordered.") @Nullable String startedAt,
    @JsonPropertyDescription("Number of its Jobs that failed and are followed by another one.")
        @Nullable Integer failedJobs,
    @JsonPropertyDescription("When the next Job is made, after one that failed.")
        @Nullable String retryAt,
    @JsonPropertyDescription("When it ended.") @Nullable String endedAt,
    @JsonPropertyDescription("What it contains, once it is complete.")
        @Nullable BackupResult result,
    @JsonPropertyDescription("Complete and Failed, with reason and message.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumBackupStatus NONE =
      new KvorumBackupStatus(null, null, null, null, null, null, null, null, null);

  public KvorumBackupStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** Whether it has started. */
  @JsonIgnore
  public boolean started() {
    return id != null;
  }

  /** Number of its Jobs that failed and are followed by another one. */
  @JsonIgnore
  public int failures() {
    return requireNonNullElse(failedJobs, 0);
  }

  /** Whether it has completed or failed. */
  @JsonIgnore
  public boolean ended() {
    return phase != null && phase.ended();
  }
}
