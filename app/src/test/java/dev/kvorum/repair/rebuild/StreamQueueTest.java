package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.repair.RepairHarness;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the streams run, and when the others follow. */
class StreamQueueTest {
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairHarness harness = new RepairHarness(6).start();
  private final List<Copying> started = new ArrayList<>();
  private final List<Copying> complete = new ArrayList<>();
  private int wanted = Integer.MAX_VALUE;
  private final StreamQueue<Copying> queue =
      new StreamQueue<>(harness.site(0).context, 2, this::onRested);
  private final List<Copying> all =
      harness.members.subList(1, 6).stream().map(Copying::new).toList();

  @BeforeEach
  void addAll() {
    all.forEach(queue::add);
  }

  private void onRested(Copying copying, boolean isComplete) {
    if (isComplete) {
      complete.add(copying);
    }
    if (complete.size() >= wanted) {
      queue.stop();
    }
  }

  private Copying copying(int index) {
    return all.get(index);
  }

  /** One that pauses and ends when it is told to. */
  private final class Copying implements StreamQueue.Stream {
    private final MemberId source;
    private boolean fails;
    private boolean stopped;

    Copying(MemberId source) {
      this.source = source;
    }

    @Override
    public MemberId source() {
      return source;
    }

    @Override
    public void advance() {
      started.add(this);
      if (fails) {
        pause();
      }
    }

    @Override
    public void stop() {
      stopped = true;
    }

    void pause() {
      queue.onPaused(this, false);
    }

    void end() {
      queue.onPaused(this, true);
    }
  }

  @Test
  void noMoreThanTheMaximumRun() {
    queue.start();
    harness.pass(MINUTE);
    assertThat(started).containsExactly(copying(0), copying(1));
    copying(1).end();
    assertThat(started).containsExactly(copying(0), copying(1), copying(2));
    copying(0).end();
    copying(2).end();
    harness.pass(MINUTE);
    assertThat(started).containsExactlyElementsOf(all);
  }

  @Test
  void oneThatPausesIsLastAndTheOthersContinue() {
    queue.start();
    copying(0).pause();
    assertThat(started).containsExactly(copying(0), copying(1), copying(2));
    harness.pass(PAUSE_MAX);
    List.of(1, 2, 3).forEach(index -> copying(index).end());
    assertThat(started).hasSize(6).endsWith(copying(3), copying(4), copying(0));
    copying(0).end();
    copying(4).end();
    assertThat(complete).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void oneThatPausesAtOnceIsTriedAgainEveryTwoSeconds() {
    copying(0).fails = true;
    queue.start();
    for (int i = 1; i < all.size(); i++) {
      copying(i).end();
    }
    assertThat(complete).hasSize(4);
    started.clear();
    harness.pass(MINUTE);
    assertThat(started).hasSizeBetween(28, 36);
    copying(0).fails = false;
    harness.pass(PAUSE_MAX);
    copying(0).end();
    assertThat(complete).hasSize(5);
  }

  @Test
  void theOnesFromSuspectedPeersWait() {
    harness.network.cutOff(copying(0).source());
    harness.network.cutOff(copying(2).source());
    queue.start();
    assertThat(started).containsExactly(copying(1), copying(3));
    harness.network.bringBack(copying(0).source());
    copying(1).end();
    assertThat(started).containsExactly(copying(1), copying(3), copying(0));
    copying(0).end();
    copying(3).end();
    harness.pass(MINUTE);
    assertThat(started).hasSize(4).endsWith(copying(4));
    harness.network.bringBack(copying(2).source());
    harness.pass(PAUSE_MAX);
    assertThat(started).hasSize(5).endsWith(copying(2));
  }

  @Test
  void stopsAllThatRunAndStartsNoOther() {
    queue.start();
    copying(0).pause();
    queue.stop();
    assertThat(all).filteredOn(copying -> copying.stopped).containsExactly(copying(1), copying(2));
    copying(1).end();
    copying(2).pause();
    harness.pass(MINUTE);
    assertThat(started).hasSize(3);
    assertThat(complete).isEmpty();
  }

  @Test
  void endsWithTheRunningOnesOnceEnoughAreComplete() {
    wanted = 2;
    queue.start();
    copying(0).end();
    copying(2).end();
    harness.pass(MINUTE);
    assertThat(started).hasSize(3);
    assertThat(copying(1).stopped).isTrue();
  }
}
