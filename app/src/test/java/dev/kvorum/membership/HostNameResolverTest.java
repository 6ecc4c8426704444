package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostNameResolverTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @Test
  void neitherBlocksTheCallerNorLetsAnyNumberWait() {
    CountDownLatch answer = new CountDownLatch(1);
    BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(1);
    ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, waiting);
    try (HostNameResolver names = new HostNameResolver(threads)) {
      threads.execute(() -> {
        try {
          answer.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      CompletableFuture<InetSocketAddress> waits = names.find("::1", 7400).toCompletableFuture();
      assertThat(waits).isNotDone();
      assertThat(names.find("::1", 7401))
          .failsWithin(TIMEOUT)
          .withThrowableThat()
          .withMessageContaining("too many lookups are pending");
      answer.countDown();
      assertThat(waits)
          .succeedsWithin(TIMEOUT)
          .satisfies(found -> assertThat(found.isUnresolved()).isFalse());
    }
  }
}
