package dev.kvorum.operator.api;

/** Why a load test waits, runs or has ended: the reasons of its conditions and Events. */
public enum LoadReason {
  DELETING("Deleting"),
  ANOTHER_LOAD_TEST("AnotherLoadTest"),
  TARGET_MISSING("TargetMissing"),
  TARGET_NOT_READY("TargetNotReady"),
  FOREIGN_USER("ForeignUser"),
  USER_NOT_READY("UserNotReady"),
  STARTED("Started"),
  WRITING_SCRIPTS("WritingScripts"),
  CREATING_USER("CreatingUser"),
  FILLING("Filling"),
  FILLED("Filled"),
  OFFERING("Offering"),
  POD_PENDING("PodPending"),
  IMAGE_UNAVAILABLE("ImageUnavailable"),
  MEASURED("Measured"),
  COMPLETE("Complete"),
  JOB_FAILED("JobFailed"),
  POD_KILLED("PodKilled"),
  POD_EVICTED("PodEvicted"),
  DEADLINE_EXCEEDED("DeadlineExceeded"),
  UNREADABLE_RESULT("UnreadableResult"),
  FILL_INCOMPLETE("FillIncomplete"),
  SUPERSEDED("Superseded");

  private final String label;

  LoadReason(String label) {
    this.label = label;
  }

  /** The name in conditions and Events. */
  public String label() {
    return label;
  }
}
