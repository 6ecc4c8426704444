package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a pod that cannot be placed apart from the others. */
public enum Unsatisfiable {
  /** It is placed anyway. */
  @JsonProperty("ScheduleAnyway")
  SCHEDULE_ANYWAY,
  /** It stays pending. */
  @JsonProperty("DoNotSchedule")
  DO_NOT_SCHEDULE;

  /** The name in Kubernetes. */
  public String label() {
    return switch (this) {
      case SCHEDULE_ANYWAY -> "ScheduleAnyway";
      case DO_NOT_SCHEDULE -> "DoNotSchedule";
    };
  }
}
