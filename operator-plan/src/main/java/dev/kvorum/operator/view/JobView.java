package dev.kvorum.operator.view;

import java.time.Instant;
import java.util.Optional;

/** The observed state of a Job and its pod. */
public sealed interface JobView {
  /** There is no such Job. */
  record Absent() implements JobView {}

  /** A Job of this name with another owner, such as an earlier load test. */
  record Foreign() implements JobView {}

  /**
   * Its container has not started.
   *
   * @param since when the Job was created
   * @param trouble what prevents the start, if known
   */
  record Pending(Instant since, Optional<Trouble> trouble) implements JobView {}

  /** Its container is running. */
  record Running() implements JobView {}

  /** Its container ended successfully with this message. */
  record Succeeded(String message, Optional<String> startedAt, Optional<String> endedAt)
      implements JobView {}

  /** It ended in another way. */
  record Failed(Cause cause, String message) implements JobView {}

  /**
   * What prevents a container from starting.
   *
   * @param placed whether its pod has a machine
   * @param image whether the image is the cause
   * @param hopeless whether waiting cannot help
   */
  record Trouble(boolean placed, boolean image, boolean hopeless, String message) {}

  /** The cause of the end of a Job. */
  enum Cause {
    /** Its container ended with an exit code. */
    EXIT,
    /** Its container was killed, or its pod was deleted. */
    KILLED,
    /** Its pod was evicted from its machine. */
    EVICTED,
    /** It exceeded its deadline. */
    DEADLINE
  }

  /** Returns whether it may still run. */
  default boolean active() {
    return switch (this) {
      case Absent _, Foreign _, Succeeded _, Failed _ -> false;
      case Pending _, Running _ -> true;
    };
  }
}
