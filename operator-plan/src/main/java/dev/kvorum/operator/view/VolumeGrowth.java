package dev.kvorum.operator.view;

/** What Kubernetes reports of a volume that is to become larger. */
public enum VolumeGrowth {
  /** Nothing, or nothing yet. */
  NOT_REPORTED,
  /** The storage system enlarges it. */
  RESIZING,
  /** Its machine has to enlarge the file system. */
  FILE_SYSTEM_PENDING,
  /** An attempt has failed; it is repeated. */
  FAILING,
  /** The storage system cannot have the size. */
  INFEASIBLE;

  /** Whether it ends in nothing unless somebody helps. */
  public boolean hasFailed() {
    return this == FAILING || this == INFEASIBLE;
  }
}
