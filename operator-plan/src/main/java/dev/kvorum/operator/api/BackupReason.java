package dev.kvorum.operator.api;

/** Why a backup waits, runs or has ended: the reasons of its conditions and Events. */
public enum BackupReason {
  DELETING("Deleting"),
  ANOTHER_BACKUP("AnotherBackup"),
  CLUSTER_MISSING("ClusterMissing"),
  CLUSTER_NOT_READY("ClusterNotReady"),
  NOT_CONFIGURED("NotConfigured"),
  FOREIGN_OBJECT("ForeignObject"),
  CREATING_USER("CreatingUser"),
  USER_NOT_READY("UserNotReady"),
  STARTED("Started"),
  POD_PENDING("PodPending"),
  RUNNING("Running"),
  COMPLETE("Complete"),
  JOB_FAILED("JobFailed"),
  POD_KILLED("PodKilled"),
  POD_EVICTED("PodEvicted"),
  DEADLINE_EXCEEDED("DeadlineExceeded"),
  UNREADABLE_REPORT("UnreadableReport");

  private final String label;

  BackupReason(String label) {
    this.label = label;
  }

  /** The name in conditions and Events. */
  public String label() {
    return label;
  }
}
