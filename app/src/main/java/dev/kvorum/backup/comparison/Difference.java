package dev.kvorum.backup.comparison;

/** How a record of a backup is not what it must be. */
public enum Difference {
  MISSING("was written before the backup and is not in it"),
  OUTDATED("was overwritten before the backup, which has the older version"),
  UNDELETED("was deleted before the backup, which has its value"),
  LOST("is in the backup with a newer version than in the cluster"),
  UNEQUAL("has the same version in the backup and another value, media type or expiry");

  private final String description;

  Difference(String description) {
    this.description = description;
  }

  /** What follows the key in a sentence. */
  public String description() {
    return description;
  }
}
