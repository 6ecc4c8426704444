package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.MpscBlockingConsumerArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer thread: all operations queued during an fsync share the next one.
 *
 * <p>An error in the middle of a batch leaves open whether it was written, and what memory knows of
 * the store (newest stamps, marks, hints) may be wrong: a later version check could let an older
 * record replace an acknowledged one. The thread then rejects everything until the process is
 * restarted, which reads all of that from disk again.
 */
final class CommitThread implements CommitQueue {
  private static final Logger log = LoggerFactory.getLogger(CommitThread.class);

  private final Batches batches;
  private final MpscBlockingConsumerArrayQueue<WriteOp> queue;
  private final FailureLog failures;
  private final Thread thread;
  private volatile boolean broken;

  CommitThread(Batches batches, int queueMax, FailureLog failures) {
    this.batches = batches;
    this.queue = new MpscBlockingConsumerArrayQueue<>(queueMax);
    this.failures = failures;
    this.thread = Thread.ofPlatform().daemon().name("kvorum-write").unstarted(this::run);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public boolean offer(WriteOp op) {
    return queue.offer(op);
  }

  @Override
  public int queued() {
    return queue.size();
  }

  @Override
  public boolean isBroken() {
    return broken;
  }

  private void run() {
    boolean stopping = false;
    while (!stopping) {
      try {
        stopping = fillAndCommit(queue.take());
      } catch (InterruptedException e) {
        // No code interrupts this thread on purpose; queued operations still need a reply.
        log.warn("the writer thread was interrupted and continues");
      } catch (RuntimeException | Error e) {
        breakDown(e);
      }
    }
  }

  /** Sets the flag first: with an exhausted memory nothing else may succeed. */
  private void breakDown(Throwable cause) {
    boolean first = !broken;
    broken = true;
    if (first) {
      log.error("The store can no longer be written; restart the node", cause);
    } else {
      failures.noteHarmless("an operation could not be rejected", cause);
    }
  }

  /** Commits one batch: the first operation and those that are queued already. */
  private boolean fillAndCommit(WriteOp first) {
    boolean stopping = false;
    WriteOp next = first;
    while (next != null) {
      boolean hasRoom = add(next);
      stopping = next instanceof WriteOp.Stop;
      next = hasRoom && !stopping ? queue.poll() : null;
    }
    commit();
    return stopping;
  }

  private boolean add(WriteOp op) {
    if (!broken) {
      try {
        return batches.add(op);
      } catch (RuntimeException | Error e) {
        breakDown(e);
      }
    }
    batches.reject(op);
    return false;
  }

  private void commit() {
    if (!broken) {
      try {
        batches.commit();
        return;
      } catch (RuntimeException | Error e) {
        breakDown(e);
      }
    }
    batches.abandon();
  }

  @Override
  public boolean close(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      while (!queue.offer(new WriteOp.Stop())) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      return thread.join(Duration.ofMillis(Math.max(1, leftMillis)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
