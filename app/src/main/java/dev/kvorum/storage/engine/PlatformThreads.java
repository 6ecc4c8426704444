package dev.kvorum.storage.engine;

import java.security.SecureRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Creates daemon threads, named after their tasks. */
final class PlatformThreads implements StoreThreads {
  @Override
  public CommitQueue commits(CommitQueue.Batches batches, int queueMax, FailureLog failures) {
    return new CommitThread(batches, queueMax, failures);
  }

  @Override
  public ExecutorService pool(
      String name,
      int threads,
      BlockingQueue<Runnable> waiting,
      RejectedExecutionHandler rejected) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        waiting,
        Thread.ofPlatform().daemon().name(name + "-", 0).factory(),
        rejected);
  }

  @Override
  public VersionCache versionCache(long bytes) {
    return VersionCache.inNativeMemory(bytes, new SecureRandom());
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public StoreTimer timer(String name, FailureLog failures) {
    return new TimerThread(name, failures);
  }
}
