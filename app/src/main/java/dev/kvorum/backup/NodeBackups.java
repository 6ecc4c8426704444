package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.manifest.BackupNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this member's parts of backups, one at a time. A part that a crash interrupts is deleted at
 * the next start; the same order again repeats it, and uploads what is missing.
 */
public final class NodeBackups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeBackups.class);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private final BackupSettings settings;
  private final BackupMember member;
  private final BackupSource source;
  private final CheckpointFiles checkpoints;
  private final DiskPressure pressure;
  private final Pace pace;
  private final BackupCounts counts = new BackupCounts();
  private volatile @Nullable BackupRun last;
  private boolean closed;

  /**
   * Backups of a member, none of which has been ordered. Deletes what an earlier process has left.
   *
   * @param directory directory of checkpoints, on the file system of the store
   */
  public NodeBackups(
      BackupSettings settings,
      BackupMember member,
      BackupSource source,
      Path directory,
      DiskPressure pressure,
      Pace pace) {
    this.settings = settings;
    this.member = member;
    this.source = source;
    this.checkpoints = new CheckpointFiles(directory);
    this.pressure = pressure;
    this.pace = pace;
    try {
      checkpoints.clear();
    } catch (IOException e) {
      // Costs only disk space, and is tried again by the next backup.
      log.warn("Cannot delete old checkpoints in {}", directory, e);
    }
  }

  /**
   * Begins this member's part of a backup. The order of a backup that runs already, or is done,
   * changes nothing.
   *
   * @throws IllegalArgumentException if the order is wrong
   * @throws IllegalStateException if another backup is running
   */
  public synchronized BackupStatus start(BackupOrder order) {
    if (!BackupNames.isId(order.id())) {
      throw new IllegalArgumentException(
          "'" + order.id() + "' is not the id of a backup, as in 20261128T181239Z-0a1b2c3d");
    }
    if (!settings.permits(order.store().url().toString())) {
      throw new IllegalArgumentException(
          "backups to "
              + order.store().url()
              + " are not permitted: kvorum.backup.stores has "
              + settings.stores());
    }
    BackupRun before = last;
    if (before != null && before.status().id().equals(order.id()) && !before.isFailed()) {
      return before.status();
    }
    if (before != null && !before.isOver()) {
      throw new IllegalStateException("backup " + before.status().id() + " is running");
    }
    if (closed) {
      throw new IllegalStateException("the node stops");
    }
    BackupRun run =
        new BackupRun(
            order,
            settings,
            checkpoints,
            pressure,
            counts,
            new MemberBackup(order, member, source, checkpoints, pace));
    last = run;
    run.start();
    return run.status();
  }

  /** The current or last part of a backup. */
  public Optional<BackupStatus> status() {
    return Optional.ofNullable(last).map(BackupRun::status);
  }

  /** Cancels the part of this backup; returns false if it is not running. Does not wait. */
  public boolean cancel(String id) {
    BackupRun run = last;
    if (run == null || run.isOver() || !run.status().id().equals(id)) {
      return false;
    }
    run.cancel(new BackupException(Reason.CANCELLED, "it was cancelled"));
    return true;
  }

  /** Notes that a backup is complete, with the parts of all members. */
  public void completed(Instant began) {
    counts.completed(began);
  }

  public BackupCounts counts() {
    return counts;
  }

  /** Cancels what is running; its checkpoint may be left for the next start to delete. */
  @Override
  public void close() {
    BackupRun run;
    synchronized (this) {
      closed = true;
      run = last;
    }
    if (run != null) {
      run.cancel(new BackupException(Reason.CANCELLED, "the node stops"));
      try {
        if (!run.await(CLOSE_MAX)) {
          log.warn("Backup {} does not end", run.status().id());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
