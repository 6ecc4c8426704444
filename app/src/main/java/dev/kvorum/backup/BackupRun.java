package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.ObjectStoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An order that is carried out, on threads of its own. */
final class BackupRun {
  private static final Logger log = LoggerFactory.getLogger(BackupRun.class);

  /** An upload that is interrupted ends with its current request. */
  private static final Duration UPLOADS_CLOSE_MAX = Duration.ofMinutes(1);

  private final BackupOrder order;
  private final BackupSettings settings;
  private final CheckpointFiles checkpoints;
  private final DiskPressure pressure;
  private final BackupCounts counts;
  private final AtomicReference<BackupStatus> status;
  private final ExecutorService uploads;
  private final ScheduledExecutorService watch;
  private final Thread worker;

  /** Why the worker was interrupted. */
  private volatile @Nullable BackupException cancelled;

  /** Makes the member's part. */
  interface Work {
    void run(ObjectStore store, ExecutorService uploads, AtomicReference<BackupStatus> status)
        throws BackupException, IOException, InterruptedException;
  }

  BackupRun(
      BackupOrder order,
      BackupSettings settings,
      CheckpointFiles checkpoints,
      DiskPressure pressure,
      BackupCounts counts,
      Work work) {
    this.order = order;
    this.settings = settings;
    this.checkpoints = checkpoints;
    this.pressure = pressure;
    this.counts = counts;
    this.status = new AtomicReference<>(BackupStatus.begun(order.id()));
    this.uploads =
        Executors.newFixedThreadPool(
            settings.uploads(),
            Thread.ofPlatform().daemon().name("kvorum-backup-upload-", 0).factory());
    this.watch =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kvorum-backup-watch").factory());
    this.worker = Thread.ofPlatform().daemon().name("kvorum-backup").unstarted(() -> run(work));
  }

  void start() {
    // First: work that fails at once ends the watch.
    watch.scheduleWithFixedDelay(this::checkDisk, 1, 1, TimeUnit.SECONDS);
    worker.start();
  }

  BackupStatus status() {
    return status.get();
  }

  boolean isOver() {
    return status().phase().isOver();
  }

  boolean isFailed() {
    return status().phase() == BackupStatus.Phase.FAILED;
  }

  private void run(Work work) {
    BackupException failure = null;
    try {
      Optional<String> pressed = pressure.reason(0);
      if (pressed.isPresent()) {
        throw new BackupException(Reason.DISK_PRESSURE, pressed.get());
      }
      upload(work);
    } catch (BackupException e) {
      failure = e;
    } catch (ObjectStoreException e) {
      failure = new BackupException(Reason.OBJECT_STORE, String.valueOf(e.getMessage()), e);
    } catch (InterruptedIOException | InterruptedException e) {
      failure = new BackupException(Reason.CANCELLED, "it was cancelled", e);
    } catch (IOException | RuntimeException | Error e) {
      failure = new BackupException(Reason.CHECKPOINT, String.valueOf(e.getMessage()), e);
    }
    BackupException cause = cancelled;
    end(failure != null && cause != null ? cause : failure);
  }

  private void upload(Work work) throws BackupException, IOException, InterruptedException {
    try (ObjectStore store = order.store().open(settings.retryFor())) {
      work.run(store, uploads, status);
    }
  }

  private void end(@Nullable BackupException failure) {
    // Of a cancellation that has ended the work.
    Thread.interrupted();
    uploads.shutdownNow();
    watch.shutdown();
    try {
      if (!uploads.awaitTermination(UPLOADS_CLOSE_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("An upload of backup {} does not end", order.id());
      }
    } catch (InterruptedException e) {
      log.debug("Backup {} was cancelled when it had ended", order.id(), e);
    }
    try {
      checkpoints.clear();
    } catch (IOException e) {
      log.warn("Cannot delete the checkpoint of backup {}", order.id(), e);
    }
    if (failure == null) {
      counts.done(status());
      status.updateAndGet(BackupStatus::done);
      log.info("Backup {}: {}", order.id(), status());
    } else {
      counts.failed(failure.reason());
      status.updateAndGet(before -> before.failed(String.valueOf(failure.getMessage())));
      log.warn("Backup {} failed: {}", order.id(), failure.getMessage(), failure);
    }
  }

  /** Gives up if the checkpoint costs too much. */
  private void checkDisk() {
    try {
      List<Path> files = checkpoints.all();
      long pinned = CheckpointFiles.pinnedBytes(files);
      status.updateAndGet(before -> before.phase().isOver() ? before : before.pinning(pinned));
      pressure
          .reason(pinned)
          .ifPresent(why -> cancel(new BackupException(Reason.DISK_PRESSURE, why)));
    } catch (IOException | UncheckedIOException e) {
      // Its files are being deleted.
      log.debug("Cannot read the checkpoint of backup {}", order.id(), e);
    } catch (RuntimeException | Error e) {
      log.error("Cannot check the disk of backup {}", order.id(), e);
    }
  }

  /** Ends the work with this failure unless it is over. Does not wait. */
  void cancel(BackupException why) {
    if (!isOver() && cancelled == null) {
      cancelled = why;
      worker.interrupt();
      uploads.shutdownNow();
    }
  }

  /** Waits until the work is over; returns false if it takes too long. */
  boolean await(Duration timeout) throws InterruptedException {
    return worker.join(timeout);
  }
}
