package dev.kvorum.backup.restore;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.backup.archive.Checkpoints;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.restore.RestoreStatus.Phase;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Version;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private final BackgroundContext context;
  private final HintStore hints;
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
      HintStore hints,
      StoreSettings settings,
      Path directory,
      int window) {
    this.context = context;
    this.hints = hints;
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

  private String current() {
    long number = context.marks().mark(MarkStore.RESTORING);
    return number == 0 ? "" : BackupNames.ofNumber(number);
  }

  /**
   * Ends the service of clients until the restore is finished. Blocks. A node that is prepared for
   * the same backup stays as it is.
   *
   * @param newestStamp newest stamp in the backup
   * @throws IllegalStateException if the node has records, restores another backup, or its clock is
   *     behind the backup
   */
  public synchronized void prepare(String id, long newestStamp) throws IOException {
    String before = current();
    if (before.equals(id)) {
      return;
    }
    if (!before.isEmpty()) {
      throw new IllegalStateException("backup " + before + " is being restored");
    }
    long ahead = Version.millisOf(newestStamp) - context.clock().correctedMillis();
    if (ahead > TimeUnit.SECONDS.toMillis(15)) {
      throw new IllegalStateException(
          "this node's clock is " + ahead + " ms behind the newest record of the backup");
    }
    if (hints.bytes() > 0 || hasRecords(context.store())) {
      throw new IllegalStateException("this node has records; a backup needs an empty cluster");
    }
    keepMark(MarkStore.RESTORING, BackupNames.number(id));
    log.warn("This node serves no clients until backup {} is restored", id);
  }

  private boolean hasRecords(Store store) throws IOException {
    CompletableFuture<ScanResult> first = new CompletableFuture<>();
    store.scan(
        KeyRange.ALL, Store.Detail.VERSION, new ScanLimits(1, 1), context.loop(), first::complete);
    return switch (within(first)) {
      case ScanResult.Page page -> !page.records().isEmpty() || page.next().isPresent();
      case ScanResult.Unknown unknown ->
          throw new IOException("the store cannot be read: " + unknown.reason().label());
    };
  }

  private void keepMark(String name, long number) throws IOException {
    CompletableFuture<WriteResult> kept = new CompletableFuture<>();
    context.marks().keepMark(name, number, context.loop(), kept::complete);
    if (within(kept) instanceof WriteResult.Refused refused) {
      throw new IOException("the store does not take a mark: " + refused.reason().label());
    }
  }

  private static <T> T within(CompletableFuture<T> reply) throws IOException {
    try {
      return reply.get(STORE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the store does not reply", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * Restores the parts of these sources that are not restored yet. An order while one is carried
   * out changes nothing. Does not wait.
   *
   * @throws IllegalStateException if the node was not prepared for this backup
   */
  public synchronized void restore(RestoreOrder order) {
    if (!current().equals(order.id())) {
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
    long number = BackupNames.number(id);
    return new RestoreRun.Sources() {
      @Override
      public boolean isDone(String source) {
        return context.marks().mark(mark(source)) == number;
      }

      @Override
      public void done(String source) throws IOException {
        keepMark(mark(source), number);
      }

      private String mark(String source) {
        return "restored/" + source;
      }
    };
  }

  /** The state. */
  public synchronized RestoreStatus status() {
    RestoreRun now = run;
    String id = current();
    if (now == null) {
      Phase phase = id.isEmpty() ? Phase.NONE : Phase.WAITING;
      return new RestoreStatus(id, phase, "", List.of(), 0, 0);
    }
    return now.status(id);
  }

  /**
   * Serves clients again. Blocks.
   *
   * @throws IllegalStateException if another backup is being restored, or this one still is
   */
  public synchronized void finish(String id) throws IOException {
    String before = current();
    if (before.isEmpty()) {
      return;
    }
    RestoreRun now = run;
    if (!before.equals(id) || (now != null && !now.isOver())) {
      throw new IllegalStateException("backup " + before + " is being restored");
    }
    keepMark(MarkStore.RESTORING, 0);
    files.clear();
    run = null;
    log.warn("Backup {} is restored; this node serves clients", id);
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
