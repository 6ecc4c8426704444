package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Threads of a store outlive errors of what they run. */
class StoreThreadsTest {
  private final FailureLog failures =
      new FailureLog(
          LoggerFactory.getLogger(StoreThreadsTest.class), new CorruptionDetector(what -> {}));

  @Test
  void aTimedTaskThatEndsWithAnErrorIsRunAgain() throws InterruptedException {
    TimerThread timer = new TimerThread("test-timer", failures);
    CountDownLatch runs = new CountDownLatch(3);
    timer.every(
        Duration.ofMillis(1),
        () -> {
          runs.countDown();
          throw new LinkageError("in a timed task");
        });
    assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(timer.close(Duration.ofSeconds(10))).isTrue();
    assertThat(failures.count()).isGreaterThanOrEqualTo(2);
  }
}
