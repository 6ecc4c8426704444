package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** What a task does with a member. */
public enum TaskAction {
  /** Removes a lost member: the others copy what it has from each other. */
  @JsonProperty("Remove")
  REMOVE,
  /** Restarts the pod of a member. */
  @JsonProperty("Restart")
  RESTART,
  /** Gives a member a new volume, which the others fill. */
  @JsonProperty("Replace")
  REPLACE;

  /** Returns null for an action of a newer operator: one such task must not hide the others. */
  @JsonCreator
  static @Nullable TaskAction of(String label) {
    return switch (label) {
      case "Remove" -> REMOVE;
      case "Restart" -> RESTART;
      case "Replace" -> REPLACE;
      default -> null;
    };
  }
}
