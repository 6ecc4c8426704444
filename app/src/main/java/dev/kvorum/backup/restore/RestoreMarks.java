package dev.kvorum.backup.restore;

import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.WriteResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node's store remembers of restores. A cluster may be restored from its founding on: then
 * each node is prepared at its start, because the topology orders it, and the command that restores
 * the records takes over later. Safe for any thread; what changes marks blocks.
 */
public final class RestoreMarks {
  private static final Logger log = LoggerFactory.getLogger(RestoreMarks.class);
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final Executor AT_ONCE = Runnable::run;

  /** Number of the backup that only the topology has prepared this node for. */
  private static final String ORDERED = "restore-ordered";

  /** Number of the last backup that this node has finished. */
  private static final String FINISHED = "restore-finished";

  private final Store store;
  private final HintStore hints;
  private final MarkStore marks;

  /** The marks of a node's store. */
  public RestoreMarks(Store store, HintStore hints, MarkStore marks) {
    this.store = store;
    this.hints = hints;
    this.marks = marks;
  }

  /** The backup that is being restored; empty if none is. */
  public String current() {
    return id(MarkStore.RESTORING);
  }

  /** The last backup whose restore was finished; empty if none was. */
  String finished() {
    return id(FINISHED);
  }

  private String id(String mark) {
    long number = marks.mark(mark);
    return number == 0 ? "" : BackupNames.ofNumber(number);
  }

  private boolean isOnlyOrdered() {
    long ordered = marks.mark(ORDERED);
    return ordered != 0 && ordered == marks.mark(MarkStore.RESTORING);
  }

  /**
   * Prepares a node that starts, as the topology orders, unless it has finished this restore.
   *
   * @throws IOException if the store does not work
   */
  public synchronized void order(String id) throws IOException {
    String before = current();
    if (before.equals(id) || finished().equals(id)) {
      return;
    }
    if (!before.isEmpty()) {
      log.error("Ignored kvorum.dev/restore: {}, since backup {} is being restored", id, before);
    } else if (hasRecords()) {
      log.error("Ignored kvorum.dev/restore: {}, since this node has records", id);
    } else {
      keep(ORDERED, BackupNames.number(id));
      keep(MarkStore.RESTORING, BackupNames.number(id));
      log.warn("This node serves no clients until backup {} is restored, as ordered", id);
    }
  }

  /** Ends what only the topology has ordered, and does not any more. */
  public synchronized void withdraw() throws IOException {
    if (isOnlyOrdered()) {
      String id = current();
      end();
      log.warn("The restore of backup {} is not ordered any more; this node serves clients", id);
    }
  }

  /**
   * Prepares this node, or takes over the preparation for the same backup from the topology.
   *
   * @throws IllegalStateException if it has records, or restores another backup
   */
  synchronized void prepare(String id) throws IOException {
    String before = current();
    if (!before.isEmpty() && !before.equals(id)) {
      throw new IllegalStateException("backup " + before + " is being restored");
    }
    if (before.isEmpty() && hasRecords()) {
      throw new IllegalStateException("this node has records; a backup needs an empty cluster");
    }
    if (marks.mark(ORDERED) != 0) {
      keep(ORDERED, 0);
    }
    if (before.isEmpty()) {
      keep(MarkStore.RESTORING, BackupNames.number(id));
      log.warn("This node serves no clients until backup {} is restored", id);
    }
  }

  /** Notes that the current backup is restored. */
  synchronized void finish() throws IOException {
    keep(FINISHED, marks.mark(MarkStore.RESTORING));
    end();
  }

  /** Ends the current restore, of which nothing was stored. */
  synchronized void end() throws IOException {
    keep(MarkStore.RESTORING, 0);
    keep(ORDERED, 0);
  }

  boolean isRestored(String source, String id) {
    return marks.mark(ofSource(source)) == BackupNames.number(id);
  }

  void restored(String source, String id) throws IOException {
    keep(ofSource(source), BackupNames.number(id));
  }

  private static String ofSource(String source) {
    return "restored/" + source;
  }

  private boolean hasRecords() throws IOException {
    if (hints.bytes() > 0) {
      return true;
    }
    CompletableFuture<ScanResult> first = new CompletableFuture<>();
    store.scan(KeyRange.ALL, Store.Detail.VERSION, new ScanLimits(1, 1), AT_ONCE, first::complete);
    return switch (within(first)) {
      case ScanResult.Page page -> !page.records().isEmpty() || page.next().isPresent();
      case ScanResult.Unknown unknown ->
          throw new IOException("the store cannot be read: " + unknown.reason().label());
    };
  }

  private void keep(String name, long number) throws IOException {
    CompletableFuture<WriteResult> kept = new CompletableFuture<>();
    marks.keepMark(name, number, AT_ONCE, kept::complete);
    if (within(kept) instanceof WriteResult.Rejected rejected) {
      throw new IOException("the store does not take a mark: " + rejected.reason().label());
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
}
