package dev.kvorum.repair;

import static dev.kvorum.repair.HandoffBench.AWAY;
import static dev.kvorum.repair.HandoffBench.PAGE;
import static dev.kvorum.repair.HandoffBench.STORED;
import static dev.kvorum.repair.HandoffBench.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.replica.ReplicaReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A starting member pulls its hints while the rate for those who have clients is very low. */
class PulledHintsTest {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** A hint has some thousand bytes: three of them, a page, are followed by half a minute. */
  private final HandoffBench bench = new HandoffBench(100);

  private final List<ReplicaReply> pulled = new ArrayList<>();

  private List<Mutation> keep(int count) {
    List<Mutation> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(bench.keep(AWAY, Duration.ofSeconds(count - i)));
    }
    return kept;
  }

  private void pull() {
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.loop.advance(MOMENT);
  }

  @Test
  void isToldOfAPageAsSoonAsItIsDelivered() {
    keep(5);
    pull();
    bench.answerAll(STORED);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(PAGE, 2));
  }

  @Test
  void getsTheNextPageAsSoonAsItAsks() {
    List<Mutation> kept = keep(8);
    bench.transport.answerInline(AWAY, request -> STORED);
    pull();
    pull();
    pull();
    assertThat(bench.sent()).isEqualTo(kept);
    assertThat(pulled)
        .containsExactly(
            new ReplicaReply.HintsDelivered(3, 5),
            new ReplicaReply.HintsDelivered(3, 2),
            new ReplicaReply.HintsDelivered(2, 0));
  }

  @Test
  void cutsThePauseOfAPushShort() {
    List<Mutation> kept = keep(8);
    bench.transport.answerInline(AWAY, request -> STORED);
    bench.handoff.start();
    bench.loop.advance(INTERVAL.multipliedBy(3));
    assertThat(bench.sent()).hasSize(PAGE);
    pull();
    assertThat(bench.sent()).isEqualTo(kept.subList(0, 2 * PAGE));
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(3, 2));
  }

  @Test
  void isFollowedByAPushThatKeepsToTheRate() {
    List<Mutation> kept = keep(8);
    bench.transport.answerInline(AWAY, request -> STORED);
    pull();
    bench.handoff.start();
    bench.loop.advance(Duration.ofSeconds(20));
    assertThat(bench.sent()).hasSize(PAGE);
    bench.loop.advance(Duration.ofSeconds(20));
    assertThat(bench.sent()).hasSize(2 * PAGE);
    bench.loop.advance(Duration.ofSeconds(40));
    assertThat(bench.sent()).isEqualTo(kept);
  }

  @Test
  void aWholePullTakesNoLongerThanItsDeliveries() {
    keep(20);
    bench.transport.answerInline(AWAY, request -> STORED);
    List<Boolean> done = new ArrayList<>();
    // The starting member's own end of it, which asks again for as long as it makes headway.
    pullOn(done);
    bench.loop.advance(MOMENT);
    assertThat(done).containsExactly(true);
    assertThat(bench.hints.targets()).isEmpty();
  }

  private void pullOn(List<Boolean> done) {
    bench.handoff.deliverSome(
        AWAY,
        reply -> {
          ReplicaReply.HintsDelivered some = (ReplicaReply.HintsDelivered) reply;
          if (some.delivered() > 0 && some.remaining() > 0) {
            pullOn(done);
          } else {
            done.add(some.remaining() == 0);
          }
        });
  }

  @Test
  void triesOnceMoreWhatFailedBeforeItSaysThatNothingIsLeft() {
    List<Mutation> kept = keep(5);
    bench.hints.forgetLater();
    pull();
    bench.transport.open(AWAY).getFirst().answer(UNREACHABLE);
    bench.answerAll(STORED);
    pull();
    bench.answerAll(STORED);
    bench.hints.commit();
    assertThat(bench.hints.of(AWAY)).containsExactly(kept.getFirst());
    pull();
    bench.answerAll(STORED);
    bench.hints.commit();
    assertThat(bench.hints.of(AWAY)).isEmpty();
    assertThat(bench.sent()).hasSize(6);
    assertThat(pulled).last().isEqualTo(new ReplicaReply.HintsDelivered(1, 1));
  }

  @Test
  void isToldThatNothingGoesWhenNothingGoes() {
    keep(5);
    bench.transport.answerInline(AWAY, request -> UNREACHABLE);
    pull();
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(0, 5));
  }
}
