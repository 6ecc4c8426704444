package dev.kvorum.deadlines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlineQueuesTest {
  private static final long LATE_MAX_NANOS = 500_000;

  private final List<RuntimeException> failures = new ArrayList<>();
  private final VirtualLoop loop = new VirtualLoop().another(failures::add);
  private final List<Noted> expired = new ArrayList<>();
  private int timers;

  private final class Noted extends DeadlineList.Entry {
    private final long dueNanos;
    private final Runnable then;
    private long expiredNanos;

    Noted(long delayNanos, Runnable then) {
      this.dueNanos = loop.nanoTime() + delayNanos;
      this.then = then;
    }

    @Override
    protected void expired() {
      assertThat(isListed()).isFalse();
      expiredNanos = loop.nanoTime();
      expired.add(this);
      then.run();
    }
  }

  private void schedule(Runnable task, long delay, TimeUnit unit) {
    timers++;
    loop.schedule(task, delay, unit);
  }

  private Noted add(DeadlineQueues queues, long delayNanos) {
    Noted entry = new Noted(delayNanos, () -> {});
    queues.add(entry, delayNanos);
    return entry;
  }

  private Noted add(DeadlineQueue queue, Runnable then) {
    Noted entry = new Noted(0, then);
    queue.add(entry);
    return entry;
  }

  @Test
  void eachExpiresAfterItsOwnDelayAndHalfAMillisecondLateAtMost() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    DeadlineQueues queues = new DeadlineQueues(loop::nanoTime, this::schedule);
    List<Noted> left = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Noted entry = add(queues, random.nextLong(5_000_000));
      if (random.nextBoolean()) {
        entry.leave();
        left.add(entry);
      }
      loop.advance(Duration.ofNanos(random.nextLong(100_000)));
    }
    loop.advance(Duration.ofMillis(6));

    assertThat(expired)
        .as("seed %d", seed)
        .hasSize(1000 - left.size())
        .doesNotContainAnyElementsOf(left);
    assertThat(expired)
        .as("seed %d", seed)
        .allSatisfy(
            entry -> assertThat(entry.expiredNanos - entry.dueNanos).isBetween(0L, LATE_MAX_NANOS));
  }

  @Test
  void manyWithNearlyTheSameDelayShareOneTimer() {
    DeadlineQueues queues = new DeadlineQueues(loop::nanoTime, this::schedule);
    for (int i = 0; i < 1000; i++) {
      add(queues, 1_000_000 - i).leave();
    }
    assertThat(timers).isEqualTo(1);
    loop.advance(Duration.ofMillis(2));
    assertThat(timers).as("the queue is empty").isEqualTo(1);
    add(queues, 1_000_000);
    loop.advance(Duration.ofMillis(1));
    assertThat(expired).hasSize(1);
  }

  @Test
  void whatIsAddedWhenOneExpiresDelaysNoOther() {
    DeadlineQueue queue = new DeadlineQueue(1000, loop::nanoTime, loop::schedule);
    add(queue, () -> add(queue, () -> {}));
    loop.advance(Duration.ofNanos(300));
    Noted second = add(queue, () -> {});

    loop.advance(Duration.ofNanos(1000));
    assertThat(expired).hasSize(2).last().isEqualTo(second);
    assertThat(second.expiredNanos - second.dueNanos).isEqualTo(1000);
    loop.advance(Duration.ofNanos(700));
    assertThat(expired).hasSize(3);
  }

  @Test
  void aFailureWhenOneExpiresDelaysNoOther() {
    DeadlineQueue queue = new DeadlineQueue(1000, loop::nanoTime, loop::schedule);
    IllegalStateException failure = new IllegalStateException();
    add(
        queue,
        () -> {
          throw failure;
        });
    add(queue, () -> {});
    loop.advance(Duration.ofNanos(1000));
    assertThat(failures).containsExactly(failure);
    assertThat(expired).hasSize(2);
  }
}
