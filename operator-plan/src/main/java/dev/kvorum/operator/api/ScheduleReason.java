package dev.kvorum.operator.api;

/** Reasons of the conditions and Events of a schedule of backups. */
public enum ScheduleReason {
  SCHEDULED("Scheduled"),
  SUSPENDED("Suspended"),
  INVALID_SCHEDULE("InvalidSchedule"),
  CLUSTER_MISSING("ClusterMissing"),
  NOT_CONFIGURED("NotConfigured"),
  NO_BACKUP_YET("NoBackupYet"),
  COMPLETE("Complete"),
  OVERDUE("Overdue"),
  PRUNED("Pruned"),
  PRUNE_FAILED("PruneFailed"),
  USER_NOT_READY("UserNotReady"),
  VERIFIED("Verified"),
  VERIFICATION_FAILED("VerificationFailed");

  private final String label;

  ScheduleReason(String label) {
    this.label = label;
  }

  /** The name in conditions and Events. */
  public String label() {
    return label;
  }
}
