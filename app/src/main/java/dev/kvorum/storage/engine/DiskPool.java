package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded thread pool for reads that wait for the disk.
 *
 * <p>The reads that one turn of an event loop asks for are handed over together. While they find
 * their blocks in the page cache, one task takes many of them, since waking a thread and the loop
 * costs as much as such a read. On a slow disk each is a task of its own.
 */
final class DiskPool {
  /** Expected duration up to which a task takes further reads. */
  private static final long TASK_NANOS = 100_000;

  /** Weight of a task in the mean duration of reads, as its reciprocal. */
  private static final int RECENT_TASKS = 8;

  private final FailureLog failures;
  private final int queueMax;
  private final LongSupplier nanoTime;
  private final ExecutorService pool;
  private final AtomicInteger waiting = new AtomicInteger();
  private final ConcurrentHashMap<Executor, List<PendingRead<?>>> turns = new ConcurrentHashMap<>();

  private volatile long meanNanos = TASK_NANOS;

  static DiskPool reads(StorageSettings settings, FailureLog failures, StoreThreads threads) {
    return new DiskPool(
        "kvorum-read", settings.readThreads(), settings.readQueueMax(), failures, threads);
  }

  static DiskPool scans(StorageSettings settings, FailureLog failures, StoreThreads threads) {
    return new DiskPool(
        "kvorum-scan", settings.scanThreads(), settings.scanQueueMax(), failures, threads);
  }

  private DiskPool(String name, int size, int queueMax, FailureLog failures, StoreThreads threads) {
    this.failures = failures;
    this.queueMax = queueMax;
    this.nanoTime = threads::nanoTime;
    this.pool =
        threads.pool(
            name,
            size,
            // Never full: each task has a read that waits.
            new ArrayBlockingQueue<>(queueMax),
            (task, closed) -> ((Task) task).end());
  }

  /**
   * Runs a read on a thread of the pool. Replies at once when the queue is full.
   *
   * @param ask returns the reply; blocks as long as the disk does
   * @param rejected the reply if the read does not run
   * @param loop executor of the reply
   */
  <T> void ask(
      Supplier<T> ask, Function<RejectReason, T> rejected, Executor loop, Waiter<T> waiter) {
    if (waiting.incrementAndGet() > queueMax) {
      waiting.decrementAndGet();
      waiter.reply(rejected.apply(RejectReason.OVERLOADED));
      return;
    }
    PendingRead<T> read = new PendingRead<>(ask, rejected, waiter);
    if (joinTurn(loop, read)) {
      try {
        loop.execute(() -> handOver(loop));
      } catch (RejectedExecutionException e) {
        // The event loop has ended with all its waiters.
        waiting.addAndGet(-takeTurn(loop).size());
      }
    }
  }

  /** Returns whether the read is the first one of its loop's turn. */
  private boolean joinTurn(Executor loop, PendingRead<?> read) {
    List<PendingRead<?>> turn =
        turns.compute(
            loop,
            (key, begun) -> {
              List<PendingRead<?>> reads = begun == null ? new ArrayList<>() : begun;
              reads.add(read);
              return reads;
            });
    return turn.getFirst() == read;
  }

  private List<PendingRead<?>> takeTurn(Executor loop) {
    return Objects.requireNonNull(turns.remove(loop));
  }

  private void handOver(Executor loop) {
    List<PendingRead<?>> reads = takeTurn(loop);
    int most = Math.clamp(TASK_NANOS / Math.max(1, meanNanos), 1, reads.size());
    for (int from = 0; from < reads.size(); from += most) {
      pool.execute(new Task(reads.subList(from, Math.min(from + most, reads.size())), loop));
    }
  }

  /** Counts the mean of a task. Of two that end at once, one may be left out. */
  private void note(long nanos) {
    long before = meanNanos;
    meanNanos = before + (nanos - before) / RECENT_TASKS;
  }

  /** Number of reads that no thread has begun. */
  int queued() {
    return waiting.get();
  }

  /** Rejects queued reads and stops the threads; returns false if one of them still reads. */
  boolean close(Duration timeout) {
    for (Runnable unbegun : pool.shutdownNow()) {
      ((Task) unbegun).end();
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Reads of one turn of a loop, for one thread. */
  private final class Task implements Runnable {
    private final List<PendingRead<?>> reads;
    private final Executor loop;

    Task(List<PendingRead<?>> reads, Executor loop) {
      this.reads = reads;
      this.loop = loop;
    }

    @Override
    public void run() {
      long began = nanoTime.getAsLong();
      reads.forEach(this::ask);
      note((nanoTime.getAsLong() - began) / reads.size());
      replyOnLoop(reads.iterator());
    }

    private void ask(PendingRead<?> read) {
      waiting.decrementAndGet();
      read.ask(failures);
    }

    private void replyOnLoop(Iterator<PendingRead<?>> rest) {
      try {
        loop.execute(() -> reply(rest));
      } catch (RejectedExecutionException e) {
        // The event loop has ended with all its waiters.
        return;
      }
    }

    private void reply(Iterator<PendingRead<?>> rest) {
      try {
        while (rest.hasNext()) {
          rest.next().reply();
        }
      } finally {
        if (rest.hasNext()) {
          // A reply has failed, which the loop handles. The others still need theirs.
          replyOnLoop(rest);
        }
      }
    }

    /** Replies to reads that will never run. */
    void end() {
      reads.forEach(this::fail);
      replyOnLoop(reads.iterator());
    }

    private void fail(PendingRead<?> read) {
      waiting.decrementAndGet();
      read.fail();
    }
  }

  /** A queued read and the receiver of its reply. */
  private static final class PendingRead<T> {
    private final Supplier<T> ask;
    private final Function<RejectReason, T> rejected;
    private final Waiter<T> waiter;
    // Written by the pool's thread before the loop reads it.
    private @Nullable T reply;

    PendingRead(Supplier<T> ask, Function<RejectReason, T> rejected, Waiter<T> waiter) {
      this.ask = ask;
      this.rejected = rejected;
      this.waiter = waiter;
    }

    void ask(FailureLog failures) {
      try {
        reply = waiter.isWaiting() ? ask.get() : rejected.apply(RejectReason.EXPIRED);
      } catch (RuntimeException | Error e) {
        // The waiter still needs a reply.
        failures.note("a read ended unexpectedly", e);
        fail();
      }
    }

    void fail() {
      reply = rejected.apply(RejectReason.STORAGE_FAILED);
    }

    void reply() {
      waiter.reply(Objects.requireNonNull(reply));
    }
  }
}
