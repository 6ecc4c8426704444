package dev.kvorum.hints;

import static dev.kvorum.hints.HandoffHarness.AWAY;
import static dev.kvorum.hints.HandoffHarness.PAGE;
import static dev.kvorum.hints.HandoffHarness.STORED;
import static dev.kvorum.hints.HandoffHarness.UNREACHABLE;
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
  private final HandoffHarness harness = new HandoffHarness(100);

  private final List<ReplicaReply> pulled = new ArrayList<>();

  private List<Mutation> keep(int count) {
    List<Mutation> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(harness.keep(AWAY, Duration.ofSeconds(count - i)));
    }
    return kept;
  }

  private void pull() {
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.advance(MOMENT);
  }

  @Test
  void isNotifiedOfAPageAsSoonAsItIsDelivered() {
    keep(5);
    pull();
    harness.answerAll(STORED);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(PAGE, 2));
  }

  @Test
  void getsTheNextPageAsSoonAsItAsks() {
    List<Mutation> kept = keep(8);
    harness.transport.answerInline(AWAY, request -> STORED);
    pull();
    pull();
    pull();
    assertThat(harness.sent()).isEqualTo(kept);
    assertThat(pulled)
        .containsExactly(
            new ReplicaReply.HintsDelivered(3, 5),
            new ReplicaReply.HintsDelivered(3, 2),
            new ReplicaReply.HintsDelivered(2, 0));
  }

  @Test
  void cutsThePauseOfAPushShort() {
    List<Mutation> kept = keep(8);
    harness.transport.answerInline(AWAY, request -> STORED);
    harness.handoff.start();
    harness.loop.advance(INTERVAL.multipliedBy(3));
    assertThat(harness.sent()).hasSize(PAGE);
    pull();
    assertThat(harness.sent()).isEqualTo(kept.subList(0, 2 * PAGE));
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(3, 2));
  }

  @Test
  void isFollowedByAPushThatKeepsToTheRate() {
    List<Mutation> kept = keep(8);
    harness.transport.answerInline(AWAY, request -> STORED);
    pull();
    harness.handoff.start();
    harness.loop.advance(Duration.ofSeconds(20));
    assertThat(harness.sent()).hasSize(PAGE);
    harness.loop.advance(Duration.ofSeconds(20));
    assertThat(harness.sent()).hasSize(2 * PAGE);
    harness.loop.advance(Duration.ofSeconds(40));
    assertThat(harness.sent()).isEqualTo(kept);
  }

  @Test
  void aWholePullTakesNoLongerThanItsDeliveries() {
    keep(20);
    harness.transport.answerInline(AWAY, request -> STORED);
    List<Boolean> done = new ArrayList<>();
    // The starting member's own end of it, which asks again for as long as it makes headway.
    pullOn(done);
    harness.loop.advance(MOMENT);
    assertThat(done).containsExactly(true);
    assertThat(harness.hints.targets()).isEmpty();
  }

  private void pullOn(List<Boolean> done) {
    harness.handoff.deliverSome(
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
  void retriesFailedHintsBeforeItReportsThatNoneAreLeft() {
    List<Mutation> kept = keep(5);
    harness.hints.removeLater();
    pull();
    harness.transport.open(AWAY).getFirst().reply(UNREACHABLE);
    harness.answerAll(STORED);
    pull();
    harness.answerAll(STORED);
    harness.hints.commit();
    assertThat(harness.hints.of(AWAY)).containsExactly(kept.getFirst());
    pull();
    harness.answerAll(STORED);
    harness.hints.commit();
    assertThat(harness.hints.of(AWAY)).isEmpty();
    assertThat(harness.sent()).hasSize(6);
    assertThat(pulled).last().isEqualTo(new ReplicaReply.HintsDelivered(1, 1));
  }

  @Test
  void reportsThatNothingIsSent() {
    keep(5);
    harness.transport.answerInline(AWAY, request -> UNREACHABLE);
    pull();
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(0, 5));
  }
}
