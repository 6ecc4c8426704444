package dev.kvorum.operator.api;

/** Why the operator acts, waits or rejects a spec: the reasons of conditions and Events. */
public enum Reason {
  AS_ASKED_FOR("AsAskedFor"),
  PAUSED("Paused"),
  DELETING("Deleting"),
  CREATING_OBJECTS("CreatingObjects"),
  PODS_PENDING("PodsPending"),
  FOUNDING("Founding"),
  CHECKING_BACKUP("CheckingBackup"),
  BACKUP_UNUSABLE("BackupUnusable"),
  RESTORING("Restoring"),
  RESTORE_FAILED("RestoreFailed"),
  RESTORED("Restored"),
  JOINING("Joining"),
  LEAVING("Leaving"),
  REMOVING("Removing"),
  REMOVED("Removed"),
  MOVING("Moving"),
  SETTLING("Settling"),
  MEMBERS_CHANGED("MembersChanged"),
  CANCELLED("Cancelled"),
  EPOCH_NOT_SEEN("EpochNotSeen"),
  COPYING("Copying"),
  CLEANUP("Cleanup"),
  HINTS_WAITING("HintsWaiting"),
  SCALING_STATEFUL_SET("ScalingStatefulSet"),
  PUT_BACK("PutBack"),
  UPDATING("Updating"),
  UPDATE_WAITS("UpdateWaits"),
  UPDATE_STALLED("UpdateStalled"),
  CHECKING_IMAGE("CheckingImage"),
  IMAGE_UNUSABLE("ImageUnusable"),
  UPGRADE_TOO_FAR("UpgradeTooFar"),
  FEATURE_MISSING("FeatureMissing"),
  FEATURES_ACTIVATED("FeaturesActivated"),
  RESTARTING_POD("RestartingPod"),
  RESTARTED("Restarted"),
  REPLACING_VOLUME("ReplacingVolume"),
  REPLACED("Replaced"),
  RESIZING_VOLUME("ResizingVolume"),
  MEMBER_DOWN("MemberDown"),
  MEMBER_STARTING("MemberStarting"),
  MEMBER_UNREACHABLE("MemberUnreachable"),
  MEMBER_REACHABLE("MemberReachable"),
  MEMBER_REBUILDING("MemberRebuilding"),
  MEMBERS_SHARE_MACHINE("MembersShareMachine"),
  COPIES_SHARE_ZONE("CopiesShareZone"),
  ZONE_DIFFERS("ZoneDiffers"),
  POD_STUCK_TERMINATING("PodStuckTerminating"),
  TASK_WAITS("TaskWaits"),
  NOT_A_MEMBER("NotAMember"),
  MEMBER_RUNNING("MemberRunning"),
  TOO_FEW_MEMBERS("TooFewMembers"),
  NO_OTHER_COPY("NoOtherCopy"),
  TASK_OUTDATED("TaskOutdated"),
  NODES_TOO_OLD("NodesTooOld"),
  REPLICATION_CHANGED("ReplicationChanged"),
  REPLICAS_BELOW_REPLICATION("ReplicasBelowReplication"),
  DISK_TOO_SMALL("DiskTooSmall"),
  VOLUME_CANNOT_GROW("VolumeCannotGrow"),
  VOLUME_CANNOT_SHRINK("VolumeCannotShrink"),
  INVALID_NAME("InvalidName"),
  INVALID_SETTINGS("InvalidSettings"),
  INVALID_CERTIFICATES("InvalidCertificates"),
  INVALID_QUANTITY("InvalidQuantity"),
  MEMORY_TOO_SMALL("MemoryTooSmall"),
  NO_IMAGE("NoImage"),
  VOLUMES_WITHOUT_TOPOLOGY("VolumesWithoutTopology"),
  TOPOLOGY_LOST("TopologyLost"),
  TOPOLOGY_RESTORED("TopologyRestored"),
  TOPOLOGY_BEHIND("TopologyBehind"),
  OBJECT_REFUSED("ObjectRefused"),
  FOREIGN_OBJECT("ForeignObject"),
  FOREIGN_TOPOLOGY("ForeignTopology"),
  FAILED("Failed");

  private final String label;

  Reason(String label) {
    this.label = label;
  }

  /** The name in conditions, Events and metrics. */
  public String label() {
    return label;
  }
}
