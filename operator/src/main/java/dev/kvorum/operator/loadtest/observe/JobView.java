package dev.kvorum.operator.loadtest.observe;

import java.time.Instant;
import java.util.Optional;

/** What has become of a Job and its pod. */
public sealed interface JobView {
  /** There is none. */
  record Absent() implements JobView {}

  /** A Job of this name with another owner, such as an earlier load test. */
  record Foreign() implements JobView {}

  /**
   * Its container has not begun.
   *
   * @param since when the Job was made
   * @param trouble what keeps it, if anything is known to
   */
  record Pending(Instant since, Optional<Trouble> trouble) implements JobView {}

  /** Its container runs. */
  record Running() implements JobView {}

  /** Its container has succeeded with this message. */
  record Succeeded(String message, Optional<String> startedAt, Optional<String> endedAt)
      implements JobView {}

  /** It has ended otherwise. */
  record Failed(Cause cause, String message) implements JobView {}

  /** What keeps a container from beginning. */
  record Trouble(boolean image, boolean hopeless, String message) {}

  /** What ended a Job. */
  enum Cause {
    /** Its container ended with an exit code. */
    EXIT,
    /** Its container was killed, or its pod was deleted. */
    KILLED,
    /** Its pod had to leave its machine. */
    EVICTED,
    /** It took longer than it may. */
    DEADLINE
  }

  /** Whether it may still offer load. */
  default boolean active() {
    return switch (this) {
      case Absent _, Foreign _, Succeeded _, Failed _ -> false;
      case Pending _, Running _ -> true;
    };
  }
}
