package dev.kvorum.repair;

import static dev.kvorum.repair.HandoffBench.AWAY;
import static dev.kvorum.repair.HandoffBench.STORED;
import static dev.kvorum.repair.HandoffBench.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ScriptedTransport.Ask;
import dev.kvorum.storage.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintedHandoffTest {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(10);

  private final HandoffBench bench = new HandoffBench(1 << 30);
  private final List<ReplicaReply> pulled = new ArrayList<>();

  private List<Mutation> keep(int count) {
    List<Mutation> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(bench.keep(AWAY, Duration.ofSeconds(count - i)));
    }
    return kept;
  }

  @Test
  void deliversTheOldestFirstPageByPageUntilNothingRemains() {
    List<Mutation> kept = keep(8);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).isEqualTo(kept.subList(0, 3));
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(bench.sent()).isEqualTo(kept.subList(0, 6));
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(bench.sent()).isEqualTo(kept);
    assertThat(bench.hints.targets()).isEmpty();
    assertThat(bench.counted("kvorum.hints.delivered")).isEqualTo(8);
  }

  @Test
  void whatChangedOnTheWayIsDeliveredAgain() {
    List<Mutation> kept = keep(1);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    bench.answerAll(ReplicaReply.MISMATCH);
    bench.loop.advance(MOMENT);
    assertThat(bench.hints.count(AWAY)).isEqualTo(1);
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).containsExactly(kept.getFirst(), kept.getFirst());
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(bench.hints.targets()).isEmpty();
  }

  @Test
  void forgetsOnlyWhatTheMemberHas() {
    List<Mutation> kept = keep(3);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    List<Ask> asks = bench.transport.open(AWAY);
    assertThat(asks).hasSize(3);
    asks.get(0).answer(new ReplicaReply.Wrote(new Applied.Refused(Refusal.DISK_FULL)));
    asks.get(1).answer(new ReplicaReply.Wrote(new Applied.Superseded(new Version(1L << 62, 1))));
    assertThat(bench.hints.of(AWAY)).isEqualTo(kept);
    asks.get(2).answer(UNREACHABLE);
    assertThat(bench.hints.of(AWAY)).containsExactly(kept.get(0), kept.get(2));
  }

  @Test
  void aMemberThatDoesNotAnswerKeepsItsHintsAndIsTriedAgainLater() {
    List<Mutation> kept = keep(2);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).isEqualTo(kept);
    bench.pass(Duration.ofMillis(600));
    assertThat(bench.hints.of(AWAY)).isEqualTo(kept);
    assertThat(bench.sent()).hasSize(2);
    bench.pass(INTERVAL);
    assertThat(bench.sent()).hasSize(4);
  }

  @Test
  void dropsWhatIsTooOldAndGoesOnToWhatIsNot() {
    for (int i = 0; i < 7; i++) {
      bench.keep(AWAY, Duration.ofHours(2).minusSeconds(i));
    }
    Mutation fresh = bench.keep(AWAY, Duration.ofMinutes(59));
    bench.handoff.start();
    bench.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(bench.sent()).containsExactly(fresh);
    assertThat(bench.counted("kvorum.hints.expired")).isEqualTo(7);
    bench.answerAll(UNREACHABLE);
    assertThat(bench.hints.of(AWAY)).containsExactly(fresh);
  }

  @Test
  void aPullWaitsForAHintBehindThoseThatAreTooOld() {
    for (int i = 0; i < 7; i++) {
      bench.keep(AWAY, Duration.ofHours(2).minusSeconds(i));
    }
    bench.keep(AWAY, Duration.ofMinutes(59));
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.loop.advance(MOMENT);
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(1, 0));
  }

  @Test
  void staysBelowTheRate() {
    HandoffBench slow = new HandoffBench(10_000);
    for (int i = 0; i < 30; i++) {
      slow.keep(AWAY, Duration.ofSeconds(30 - i));
    }
    slow.transport.answerInline(AWAY, request -> STORED);
    slow.handoff.start();
    slow.loop.advance(INTERVAL);
    assertThat(slow.sent()).hasSize(3);
    slow.loop.advance(Duration.ofSeconds(1));
    // A hint of some 1000 bytes, 10000 bytes a second, in pages of three.
    assertThat(slow.sent().size()).isBetween(9, 13);
    slow.loop.advance(Duration.ofSeconds(3));
    assertThat(slow.sent()).hasSize(30);
  }

  @Test
  void whatWasNotSentForWantOfRoomDoesNotSlowTheRestDown() {
    HandoffBench slow = new HandoffBench(1000);
    for (int i = 0; i < 3; i++) {
      slow.keep(AWAY, Duration.ofSeconds(3 - i));
    }
    slow.transport.answerInline(AWAY, r -> new ReplicaReply.Failed(Refusal.OVERLOADED));
    slow.handoff.start();
    slow.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(slow.sent()).hasSize(3);
    slow.loop.advance(INTERVAL);
    assertThat(slow.sent()).hasSize(6);
  }

  @Test
  void leavesSuspectsAloneUntilTheyAreBack() {
    keep(1);
    bench.transport.suspect(AWAY);
    bench.handoff.start();
    bench.loop.advance(INTERVAL.multipliedBy(3));
    assertThat(bench.sent()).isEmpty();
    bench.transport.trust(AWAY);
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).hasSize(1);
  }

  @Test
  void stopsAfterThePageInWhichTheMemberBecomesSuspect() {
    keep(6);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).hasSize(3);
    bench.transport.suspect(AWAY);
    bench.answerAll(STORED);
    bench.loop.advance(INTERVAL.multipliedBy(2));
    assertThat(bench.sent()).hasSize(3);
    assertThat(bench.hints.count(AWAY)).isEqualTo(3);
  }

  @Test
  void aPullIsToldHowManyWereDeliveredAndHowManyRemain() {
    keep(5);
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.loop.advance(MOMENT);
    assertThat(pulled).isEmpty();
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(3, 2));
  }

  @Test
  void aPullWithNothingToDeliverIsAnsweredAtOnce() {
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.loop.runReady();
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(0, 0));
  }

  @Test
  void aPullAndAPushShareOnePage() {
    keep(2);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.handoff.deliverSome(AWAY, pulled::add);
    bench.loop.runReady();
    assertThat(bench.sent()).hasSize(2);
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(pulled)
        .containsExactly(
            new ReplicaReply.HintsDelivered(2, 0), new ReplicaReply.HintsDelivered(2, 0));
  }

  @Test
  void noHintIsSentTwiceThoughForgettingTakesItsTime() {
    List<Mutation> kept = keep(8);
    bench.hints.forgetLater();
    bench.transport.answerInline(AWAY, request -> STORED);
    bench.handoff.start();
    bench.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(bench.sent()).isEqualTo(kept);
    bench.hints.commit();
    assertThat(bench.hints.targets()).isEmpty();
  }

  @Test
  void whatFailedIsSentAgainInTheNextRoundAndNotBefore() {
    List<Mutation> kept = keep(5);
    bench.handoff.start();
    bench.loop.advance(INTERVAL);
    bench.transport.open(AWAY).getFirst().answer(UNREACHABLE);
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    bench.answerAll(STORED);
    bench.loop.advance(MOMENT);
    assertThat(bench.sent()).isEqualTo(kept);
    bench.loop.advance(INTERVAL);
    assertThat(bench.sent()).hasSize(6).last().isEqualTo(kept.getFirst());
  }
}
