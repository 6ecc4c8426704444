package dev.kvorum.membership;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Resolves host names on threads of its own. A name server that does not reply delays only other
 * lookups.
 */
final class HostNameResolver implements AutoCloseable {
  private static final int THREADS = 2;
  private static final int WAITING_MAX = 256;
  private static final long IDLE_SECONDS = 30;

  private final ExecutorService threads;

  HostNameResolver() {
    this(pool());
  }

  HostNameResolver(ExecutorService threads) {
    this.threads = threads;
  }

  private static ExecutorService pool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().daemon().name("kvorum-names-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The current address of a host, or a failure with the reason. Does not block. */
  CompletionStage<InetSocketAddress> find(String host, int port) {
    try {
      return CompletableFuture.supplyAsync(() -> resolve(host, port), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(
              "host " + host + " is not resolved: too many lookups are pending", e));
    }
  }

  private static InetSocketAddress resolve(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new CompletionException("host " + host + " is not known", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
