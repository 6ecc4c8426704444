package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.CoordinatorHarness.*;
import static dev.kvorum.data.RejectReason.DISK_FULL;
import static dev.kvorum.data.RejectReason.EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoordinatorWriteTest {
  private final CoordinatorHarness harness = new CoordinatorHarness(5);

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  private Versioned own() {
    return harness.store.get(KEY).orElseThrow();
  }

  @Test
  void acknowledgesOnceAckReplicasStoredAndNotBefore() {
    harness.put(3, 5, "a");
    ask(3).reply(STORED);
    assertThat(harness.writes).isEmpty();
    ask(0).reply(STORED);
    assertThat(harness.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
    ask(1).reply(STORED);
    assertThat(harness.finished).isZero();
    ask(2).reply(STORED);
    assertThat(harness.finished).isEqualTo(1);
    assertThat(harness.writes).hasSize(1);
    assertThat(harness.hints.targets()).isEmpty();
  }

  @Test
  void sendsTheSameRecordToExactlyTheFirstFromReplicas() {
    harness.put(2, 3, "a");
    Versioned sent = written(ask(0).request());
    assertThat(sent.from()).isEqualTo(3);
    assertThat(sent).isEqualTo(own()).isEqualTo(written(ask(1).request()));
    assertThat(harness.transport.sent(harness.others.get(2))).isEmpty();
    assertThat(harness.transport.sent(harness.others.get(3))).isEmpty();
  }

  @Test
  void aSingleNodeAnswersAndFinishesDuringTheCall() {
    CoordinatorHarness alone = new CoordinatorHarness(1);
    alone.put(1, 1, "a");
    assertThat(alone.writes).hasSize(1);
    assertThat(alone.finished).isEqualTo(1);
  }

  @Test
  void anOwnReplicaThatAnswersLaterCountsWhenItDoes() {
    harness.store.answerLater();
    harness.put(1, 1, "a");
    assertThat(harness.writes).isEmpty();
    harness.loop.runReady();
    assertThat(harness.writes).hasSize(1);
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void aSupersededQuorumWriteIsTriedAgainAboveTheVersionMet() {
    Version ahead = harness.version(400);
    harness.put(2, 3, "a");
    Version first = own().version();
    Ask late = ask(1);
    ask(0).reply(superseded(ahead));
    assertThat(harness.writes).isEmpty();
    Versioned second = written(ask(0).request());
    assertThat(second.version().isNewerThan(ahead)).isTrue();
    assertThat(second).isEqualTo(own());
    late.reply(STORED);
    assertThat(harness.writes).as("an answer to the first attempt").isEmpty();
    ask(1).reply(STORED);
    assertThat(harness.writes).containsExactly(new WriteOutcome.Acknowledged(second.version()));
    assertThat(second.version().isNewerThan(first)).isTrue();
    assertThat(harness.member.counted("kvorum.writes.superseded")).isEqualTo(1);
  }

  @Test
  void aLateWriteIsNotPutAboveWhatItsClientMayHaveWrittenSince() {
    harness.put(2, 3, "a");
    Version first = own().version();
    Ask answered = ask(0);
    harness.loop.advance(TIMEOUT);
    answered.reply(superseded(harness.version(400)));
    assertThat(harness.writes).singleElement().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(own().version()).isEqualTo(first);
  }

  @Test
  void aWriteIsRejectedThatMayHaveWaitedWhileTheLoopWasPaused() {
    harness.coordinator.tick();
    harness.loop.advance(PAUSE_MAX.plusMillis(1));
    harness.put(2, 3, "read before the tick");
    assertThat(harness.coordinator.tick()).isPositive();
    harness.put(2, 3, "read soon after it");
    assertThat(harness.writes)
        .containsExactly(new WriteOutcome.Rejected(EXPIRED), new WriteOutcome.Rejected(EXPIRED));
    assertThat(harness.finished).isEqualTo(2);
    harness.loop.advance(TIMEOUT);
    harness.put(2, 3, "new");
    assertThat(harness.writes).hasSize(2);
    ask(0).reply(STORED);
    assertThat(harness.writes).hasSize(3).last().isInstanceOf(WriteOutcome.Acknowledged.class);
  }

  @Test
  void whatSupersedesTheSecondAttemptRanBesideItAndCounts() {
    harness.put(2, 3, "a");
    ask(0).reply(superseded(harness.version(100)));
    ask(0).reply(superseded(harness.version(200)));
    assertThat(harness.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
  }

  @Test
  void aVersionTooFarAheadCannotBeOutdoneAndLeavesTheWriteIndeterminate() {
    harness.put(2, 3, "a");
    ask(0).reply(superseded(harness.version(10_000)));
    assertThat(harness.writes).hasSize(1).first().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(harness.finished).isZero();
    ask(1).reply(STORED);
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void failsAtOnceWhenTooManyAreUnreachable() {
    harness.transport.answerInline(harness.others.get(0), request -> UNREACHABLE);
    harness.transport.answerInline(harness.others.get(1), request -> UNREACHABLE);
    harness.put(2, 3, "a");
    assertThat(harness.writes)
        .containsExactly(
            new WriteOutcome.Indeterminate(
                new Quorum(2, 3),
                List.of(
                    new ReplicaOutcome(harness.self, "stored"),
                    new ReplicaOutcome(harness.others.get(0), "unreachable"),
                    new ReplicaOutcome(harness.others.get(1), "unreachable"))));
    assertThat(harness.finished).isEqualTo(1);
    assertThat(harness.hints.targets()).as("hints of an unacknowledged write").isEmpty();
  }

  @Test
  void whoHasNotAnsweredYetIsCalledPendingAndNotTimedOut() {
    harness.put(3, 4, "a");
    ask(0).reply(UNREACHABLE);
    ask(1).reply(UNREACHABLE);
    WriteOutcome.Indeterminate outcome = (WriteOutcome.Indeterminate) harness.writes.getFirst();
    assertThat(outcome.replies()).contains(new ReplicaOutcome(harness.others.get(2), "pending"));
  }

  @Test
  void aSilentQuorumIsIndeterminateAtTheDeadline() {
    harness.put(2, 3, "a");
    harness.member.pass(Duration.ofMillis(990));
    assertThat(harness.writes).isEmpty();
    harness.member.pass(Duration.ofMillis(20));
    assertThat(harness.writes).hasSize(1).first().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(harness.finished).isEqualTo(1);
    assertThat(harness.hints.targets()).isEmpty();
  }

  @Test
  void aSecondAttemptDoesNotOutliveTheRequestsDeadlineThoughOthersWaitLonger() {
    harness.put(2, 3, "a");
    harness.member.pass(Duration.ofMillis(900));
    harness.put(2, 3, "another");
    var open = harness.transport.open(harness.others.get(0));
    open.getFirst().reply(superseded(harness.version(50)));
    harness.member.pass(Duration.ofMillis(150));
    assertThat(harness.writes).as("first write, 50 ms past its deadline").hasSize(1);
  }

  @Test
  void keepsHintsForThoseThatFailAfterTheAcknowledgement() {
    harness.put(2, 4, "a");
    ask(0).reply(STORED);
    assertThat(harness.writes).hasSize(1);
    assertThat(harness.hints.targets()).isEmpty();
    MemberId failed = harness.others.get(1);
    ask(1).reply(UNREACHABLE);
    assertThat(harness.hints.of(failed)).containsExactly(new Mutation(KEY, own()));
    assertThat(harness.finished).isZero();
    harness.member.pass(Duration.ofMillis(1010));
    assertThat(harness.hints.targets()).containsExactlyInAnyOrder(failed, harness.others.get(2));
    assertThat(harness.finished).isEqualTo(1);
    assertThat(harness.member.counted("kvorum.hints.kept")).isEqualTo(2);
  }

  @Test
  void keepsHintsForThoseThatFailedBeforeTheAcknowledgement() {
    harness.put(2, 3, "a");
    ask(0).reply(new ReplicaReply.WriteReply(new WriteResult.Rejected(DISK_FULL)));
    assertThat(harness.hints.targets()).isEmpty();
    ask(1).reply(STORED);
    assertThat(harness.hints.of(harness.others.get(0))).containsExactly(new Mutation(KEY, own()));
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void aHintHoldsTheVersionThatWasAcknowledged() {
    harness.put(2, 3, "a");
    ask(0).reply(superseded(harness.version(100)));
    ask(0).reply(STORED);
    harness.transport.open(harness.others.get(1)).forEach(open -> open.reply(UNREACHABLE));
    assertThat(harness.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
    assertThat(harness.hints.of(harness.others.get(1))).containsExactly(new Mutation(KEY, own()));
  }

  @Test
  void doesNotWaitForASuspectOnceItIsAcknowledged() {
    harness.transport.suspect(harness.others.get(1));
    harness.put(2, 3, "a");
    ask(0).reply(STORED);
    assertThat(harness.finished).isEqualTo(1);
    assertThat(harness.hints.targets()).containsExactly(harness.others.get(1));
    ask(1).reply(UNREACHABLE);
    assertThat(harness.hints.of(harness.others.get(1))).hasSize(1);
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void aHintThatFindsNoRoomIsCounted() {
    harness.hints.fillUp();
    harness.put(2, 3, "a");
    ask(0).reply(STORED);
    ask(1).reply(UNREACHABLE);
    assertThat(harness.member.counted("kvorum.hints.dropped")).isEqualTo(1);
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void finishesExactlyOnceWhateverIsAnsweredInWhateverOrder() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      CoordinatorHarness one = new CoordinatorHarness(5);
      int from = random.nextInt(1, 6);
      one.put(random.nextInt(1, from + 1), from, "v");
      for (int step = 0; step < 60; step++) {
        MemberId member = one.others.get(random.nextInt(4));
        List<Ask> open = new ArrayList<>(one.transport.open(member));
        if (!open.isEmpty()) {
          open.get(random.nextInt(open.size())).reply(randomReply(one, random));
        }
      }
      one.member.pass(Duration.ofMillis(1050));
      assertThat(one.writes).as("seed %d, round %d", seed, round).hasSize(1);
      assertThat(one.finished).as("seed %d, round %d", seed, round).isEqualTo(1);
    }
  }

  private static ReplicaReply randomReply(CoordinatorHarness harness, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> UNREACHABLE;
      case 1 -> superseded(harness.version(random.nextInt(-100, 700)));
      default -> STORED;
    };
  }

  @Test
  void aFullDiskRejectsPutsAndTakesDeletes() {
    harness.store.fillUp();
    harness.put(1, 1, "a");
    harness.write(1, 1, new Change.Delete());
    assertThat(harness.writes.getFirst()).isEqualTo(new WriteOutcome.Rejected(DISK_FULL));
    assertThat(harness.writes.getLast()).isInstanceOf(WriteOutcome.Acknowledged.class);
    assertThat(own().tombstone()).isTrue();
    assertThat(harness.finished).isEqualTo(2);
  }

  @Test
  void aTimeToLiveBecomesAnAbsoluteExpiryOnce() {
    harness.write(2, 3, new Change.Put(new byte[0], 5000));
    long expiry = harness.clock.wallMillis() + 5000;
    harness.loop.advance(Duration.ofMillis(100));
    ask(0).reply(superseded(harness.version(200)));
    ReplicaRequest again = ask(0).request();
    assertThat(written(again).expiresAtMillis()).isEqualTo(expiry);
  }
}
