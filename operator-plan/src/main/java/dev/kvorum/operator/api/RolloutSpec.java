package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;

/** What becomes of a rolling update whose pods do not become ready. */
public record RolloutSpec(
    @JsonPropertyDescription(
            "What is done with an update of which a pod is not ready for as long as `deadline`. "
                + "`Rollback`: all pods get the template back that they had before, until the spec "
                + "is changed. `Stop`: the update waits.")
        @Default("Rollback")
        RolloutFailure onFailure,
    @JsonPropertyDescription(
            "Time that a pod has to become ready, such as 10m: longer than a member takes to "
                + "start. At least 1m.")
        @Default("10m")
        @Pattern("^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$")
        @Size(min = 2, max = 20)
        @ValidationRule(
            value = "duration(self) >= duration('1m')",
            message = "deadline must be at least 1m")
        String deadline) {
  /** Rolls back after ten minutes. */
  static final RolloutSpec DEFAULTS = new RolloutSpec(RolloutFailure.ROLLBACK, "10m");

  public RolloutSpec {
    onFailure = requireNonNullElse(onFailure, RolloutFailure.ROLLBACK);
    deadline = requireNonNullElse(deadline, "10m");
  }

  /** The deadline as a duration. */
  @JsonIgnore
  public Duration time() {
    return Duration.ofSeconds(Durations.seconds(deadline));
  }
}
