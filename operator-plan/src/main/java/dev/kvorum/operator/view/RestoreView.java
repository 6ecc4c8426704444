package dev.kvorum.operator.view;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The restore that a new cluster begins with.
 *
 * @param ordered id of the backup that the topology orders its members to wait for
 * @param unknown why it is not known which backup; empty if it is
 * @param check the Job that looks for the backup
 * @param backup what it has found
 * @param run the Job that restores
 * @param user the user that orders of that Job come from
 */
public record RestoreView(
    Optional<String> ordered,
    Optional<String> unknown,
    Work check,
    Optional<FoundBackup> backup,
    Work run,
    JobUser user) {
  /** No restore. */
  public static final RestoreView NONE =
      new RestoreView(
          Optional.empty(),
          Optional.empty(),
          Work.NONE,
          Optional.empty(),
          Work.NONE,
          new JobUser.Unneeded());

  /**
   * A Job.
   *
   * @param name its name
   * @param since when it was created
   */
  public record Work(String name, JobView job, Optional<Instant> since) {
    static final Work NONE = new Work("", new JobView.Absent(), Optional.empty());
  }

  /**
   * A backup that is whole.
   *
   * @param features that its records may use, which have to be active
   * @param lacks those that the image does not have
   * @param replication copies of a record by default
   * @param bytes of all files of all members
   * @param largestPart bytes of the files of one member
   */
  public record FoundBackup(
      String id,
      List<String> features,
      List<String> lacks,
      int replication,
      long bytes,
      long largestPart) {
    public FoundBackup {
      features = List.copyOf(features);
      lacks = List.copyOf(lacks);
    }
  }
}
