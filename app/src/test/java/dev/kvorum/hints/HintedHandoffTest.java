package dev.kvorum.hints;

import static dev.kvorum.hints.HandoffHarness.AWAY;
import static dev.kvorum.hints.HandoffHarness.STORED;
import static dev.kvorum.hints.HandoffHarness.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.storage.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintedHandoffTest {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(10);

  private final HandoffHarness harness = new HandoffHarness(1 << 30);
  private final List<ReplicaReply> pulled = new ArrayList<>();

  private List<Mutation> keep(int count) {
    List<Mutation> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(harness.keep(AWAY, Duration.ofSeconds(count - i)));
    }
    return kept;
  }

  @Test
  void deliversTheOldestFirstPageByPageUntilNothingRemains() {
    List<Mutation> kept = keep(8);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).isEqualTo(kept.subList(0, 3));
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(harness.sent()).isEqualTo(kept.subList(0, 6));
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(harness.sent()).isEqualTo(kept);
    assertThat(harness.hints.targets()).isEmpty();
    assertThat(harness.member.counted("kvorum.hints.delivered")).isEqualTo(8);
  }

  @Test
  void whatChangedOnTheWayIsDeliveredAgain() {
    List<Mutation> kept = keep(1);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    harness.answerAll(ReplicaReply.MISMATCH);
    harness.loop.advance(MOMENT);
    assertThat(harness.hints.count(AWAY)).isEqualTo(1);
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).containsExactly(kept.getFirst(), kept.getFirst());
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(harness.hints.targets()).isEmpty();
  }

  @Test
  void removesOnlyHintsThatTheMemberHas() {
    List<Mutation> kept = keep(3);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    List<Ask> asks = harness.transport.open(AWAY);
    assertThat(asks).hasSize(3);
    asks.get(0)
        .reply(new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.DISK_FULL)));
    asks.get(1)
        .reply(new ReplicaReply.WriteReply(new WriteResult.Superseded(new Version(1L << 62, 1))));
    assertThat(harness.hints.of(AWAY)).isEqualTo(kept);
    asks.get(2).reply(UNREACHABLE);
    assertThat(harness.hints.of(AWAY)).containsExactly(kept.get(0), kept.get(2));
  }

  @Test
  void aMemberThatDoesNotAnswerKeepsItsHintsAndIsTriedAgainLater() {
    List<Mutation> kept = keep(2);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).isEqualTo(kept);
    harness.member.pass(Duration.ofMillis(600));
    assertThat(harness.hints.of(AWAY)).isEqualTo(kept);
    assertThat(harness.sent()).hasSize(2);
    harness.member.pass(INTERVAL);
    assertThat(harness.sent()).hasSize(4);
  }

  @Test
  void dropsWhatIsTooOldAndContinuesWithWhatIsNot() {
    for (int i = 0; i < 7; i++) {
      harness.keep(AWAY, Duration.ofHours(2).minusSeconds(i));
    }
    Mutation fresh = harness.keep(AWAY, Duration.ofMinutes(59));
    harness.handoff.start();
    harness.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(harness.sent()).containsExactly(fresh);
    assertThat(harness.member.counted("kvorum.hints.expired")).isEqualTo(7);
    harness.answerAll(UNREACHABLE);
    assertThat(harness.hints.of(AWAY)).containsExactly(fresh);
  }

  @Test
  void aPullWaitsForAHintBehindThoseThatAreTooOld() {
    for (int i = 0; i < 7; i++) {
      harness.keep(AWAY, Duration.ofHours(2).minusSeconds(i));
    }
    harness.keep(AWAY, Duration.ofMinutes(59));
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.advance(MOMENT);
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(1, 0));
  }

  @Test
  void aPullIsAnsweredThoughThePageCannotBeRead() {
    List<Mutation> kept = keep(1);
    harness.hints.throwNext();
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.advance(MOMENT);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(0, 1));
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.advance(MOMENT);
    assertThat(harness.sent()).isEqualTo(kept);
  }

  @Test
  void staysBelowTheRate() {
    HandoffHarness slow = new HandoffHarness(10_000);
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
    HandoffHarness slow = new HandoffHarness(1000);
    for (int i = 0; i < 3; i++) {
      slow.keep(AWAY, Duration.ofSeconds(3 - i));
    }
    slow.transport.answerInline(AWAY, r -> new ReplicaReply.Failed(RejectReason.OVERLOADED));
    slow.handoff.start();
    slow.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(slow.sent()).hasSize(3);
    slow.loop.advance(INTERVAL);
    assertThat(slow.sent()).hasSize(6);
  }

  @Test
  void leavesSuspectsAloneUntilTheyAreBack() {
    keep(1);
    harness.transport.suspect(AWAY);
    harness.handoff.start();
    harness.loop.advance(INTERVAL.multipliedBy(3));
    assertThat(harness.sent()).isEmpty();
    harness.transport.trust(AWAY);
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).hasSize(1);
  }

  @Test
  void stopsAfterThePageInWhichTheMemberBecomesSuspect() {
    keep(6);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).hasSize(3);
    harness.transport.suspect(AWAY);
    harness.answerAll(STORED);
    harness.loop.advance(INTERVAL.multipliedBy(2));
    assertThat(harness.sent()).hasSize(3);
    assertThat(harness.hints.count(AWAY)).isEqualTo(3);
  }

  @Test
  void aPullLearnsHowManyWereDeliveredAndHowManyRemain() {
    keep(5);
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.advance(MOMENT);
    assertThat(pulled).isEmpty();
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(3, 2));
  }

  @Test
  void aPullWithNothingToDeliverIsAnsweredAtOnce() {
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.runReady();
    assertThat(pulled).containsExactly(new ReplicaReply.HintsDelivered(0, 0));
  }

  @Test
  void aPullAndAPushShareOnePage() {
    keep(2);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.handoff.deliverSome(AWAY, pulled::add);
    harness.loop.runReady();
    assertThat(harness.sent()).hasSize(2);
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(pulled)
        .containsExactly(
            new ReplicaReply.HintsDelivered(2, 0), new ReplicaReply.HintsDelivered(2, 0));
  }

  @Test
  void noHintIsSentTwiceWhileItsRemovalIsPending() {
    List<Mutation> kept = keep(8);
    harness.hints.removeLater();
    harness.transport.answerInline(AWAY, request -> STORED);
    harness.handoff.start();
    harness.loop.advance(INTERVAL.plus(MOMENT));
    assertThat(harness.sent()).isEqualTo(kept);
    harness.hints.commit();
    assertThat(harness.hints.targets()).isEmpty();
  }

  @Test
  void whatFailedIsSentAgainInTheNextRoundAndNotBefore() {
    List<Mutation> kept = keep(5);
    harness.handoff.start();
    harness.loop.advance(INTERVAL);
    harness.transport.open(AWAY).getFirst().reply(UNREACHABLE);
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    harness.answerAll(STORED);
    harness.loop.advance(MOMENT);
    assertThat(harness.sent()).isEqualTo(kept);
    harness.loop.advance(INTERVAL);
    assertThat(harness.sent()).hasSize(6).last().isEqualTo(kept.getFirst());
  }
}
