package dev.kvorum.backup.restore;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.backup.archive.Checkpoints;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.restore.RestoreStatus.Phase;
import dev.kvorum.data.Version;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a backup into this node's empty cluster. From {@link #prepare} to {@link #finish} the
 * node serves no clients, which a mark in its store remembers. All nodes are prepared before one of
 * them restores, and finished after all have.
 */
public final class NodeRestore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeRestore.class);
  private static final Duration CLOCK_BEHIND_MAX = Duration.ofSeconds(15);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private final BackgroundContext context;
  private final RestoreMarks marks;
  private final StoreSettings settings;
  private final Checkpoints files;
  private final int window;
  private @Nullable RestoreRun run;
  private boolean closed;

  /**
   * A node that restores nothing, unless its store says so.
   *
   * @param settings of the node's store
   * @param directory directory for checkpoints
   * @param window records stored at a time
   */
  public NodeRestore(
      BackgroundContext context,
      RestoreMarks marks,
      StoreSettings settings,
      Path directory,
      int window) {
    this.context = context;
    this.marks = marks;
    this.settings = settings;
    this.files = new Checkpoints(directory);
    this.window = window;
    try {
      files.clear();
    } catch (IOException e) {
      // Costs only disk space, and is tried again by the next order.
      log.warn("Cannot delete old checkpoints in {}", directory, e);
    }
  }

  /**
   * Ends the service of clients until the restore is finished. Blocks. A node that is prepared for
   * the same backup stays as it is.
   *
   * @param newestStamp newest stamp in the backup
   * @throws IllegalArgumentException if it is no id of a backup
   * @throws IllegalStateException if the node has records, restores another backup, or its clock is
   *     behind the backup
   */
  public synchronized void prepare(String id, long newestStamp) throws IOException {
    if (!BackupNames.isId(id)) {
      throw new IllegalArgumentException("'" + id + "' is no id of a backup");
    }
    long ahead = Version.millisOf(newestStamp) - context.clock().correctedMillis();
    if (ahead > CLOCK_BEHIND_MAX.toMillis()) {
      throw new IllegalStateException(
          "this node's clock is " + ahead + " ms behind the newest record of the backup");
    }
    marks.prepare(id);
  }

  /**
   * Restores the parts of these sources that are not restored yet. An order while one is carried
   * out changes nothing. Does not wait.
   *
   * @throws IllegalStateException if the node was not prepared for this backup
   */
  public synchronized void restore(RestoreOrder order) {
    if (!marks.current().equals(order.id())) {
      throw new IllegalStateException("this node is not prepared for backup " + order.id());
    }
    if (closed) {
      throw new IllegalStateException("the node stops");
    }
    RestoreRun before = run;
    if (before == null || before.isOver()) {
      RestoreRun next =
          new RestoreRun(order, sources(order.id()), context, settings, files, window);
      run = next;
      next.start();
    }
  }

  /** Which sources are restored, in marks of this node's store. */
  private RestoreRun.Sources sources(String id) {
    return new RestoreRun.Sources() {
      @Override
      public boolean isDone(String source) {
        return marks.isRestored(source, id);
      }

      @Override
      public void done(String source) throws IOException {
        marks.restored(source, id);
      }
    };
  }

  /** The state. */
  public synchronized RestoreStatus status() {
    RestoreRun now = run;
    String id = marks.current();
    if (now == null) {
      Phase phase = id.isEmpty() ? Phase.NONE : Phase.WAITING;
      return new RestoreStatus(id, phase, "", List.of(), 0, 0, marks.finished());
    }
    return now.status(id, marks.finished());
  }

  /**
   * Serves clients again, and remembers that this backup is restored. Blocks.
   *
   * @throws IllegalStateException if another backup is being restored, or this one still is
   */
  public synchronized void finish(String id) throws IOException {
    if (isPrepared(id)) {
      marks.finish();
      files.clear();
      run = null;
      log.warn("Backup {} is restored; this node serves clients", id);
    }
  }

  /**
   * Serves clients again, since nothing was restored. Blocks.
   *
   * @throws IllegalStateException as {@link #finish}
   */
  public synchronized void undo(String id) throws IOException {
    if (isPrepared(id)) {
      marks.end();
      run = null;
      log.warn("The restore of backup {} was taken back; this node serves clients", id);
    }
  }

  private boolean isPrepared(String id) {
    String before = marks.current();
    RestoreRun now = run;
    if (!before.isEmpty() && (!before.equals(id) || (now != null && !now.isOver()))) {
      throw new IllegalStateException("backup " + before + " is being restored");
    }
    return !before.isEmpty();
  }

  @Override
  public void close() {
    RestoreRun now;
    synchronized (this) {
      closed = true;
      now = run;
    }
    if (now != null) {
      now.stop();
      try {
        now.await(CLOSE_MAX);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
