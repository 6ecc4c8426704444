package dev.kvorum.security;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Computes handshakes apart from event loops, since a signature takes a hundred times as long as a
 * request. One more than its bound is rejected, which ends its connection.
 */
final class HandshakeThreads implements Executor, AutoCloseable {
  private static final int THREADS = 2;

  private final ThreadPoolExecutor pool;
  private final LongAdder refused = new LongAdder();

  /**
   * Creates threads that start with the first handshake.
   *
   * @param waitingMax handshakes that may wait for a thread
   */
  HandshakeThreads(int waitingMax) {
    pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(waitingMax),
            Thread.ofPlatform().daemon().name("kvorum-tls-handshake-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      refused.increment();
      throw e;
    }
  }

  long refused() {
    return refused.sum();
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
