package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a task, from which the operator continues it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumTaskStatus(
    @JsonPropertyDescription("The phase of the task.") @Nullable TaskPhase phase,
    @JsonPropertyDescription("When it began.") @Nullable String startedAt,
    @JsonPropertyDescription(
            "Uid of the pod that is restarted, or of the volume claim that is replaced.")
        @Nullable String replacedUid,
    @JsonPropertyDescription("When it ended.") @Nullable String endedAt,
    @JsonPropertyDescription("Complete and Failed, with reason and message.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumTaskStatus NONE = new KvorumTaskStatus(null, null, null, null, null);

  public KvorumTaskStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** Whether it has started. */
  @JsonIgnore
  public boolean started() {
    return startedAt != null;
  }

  /** Whether it has completed or failed. */
  @JsonIgnore
  public boolean ended() {
    return phase != null && phase.ended();
  }
}
