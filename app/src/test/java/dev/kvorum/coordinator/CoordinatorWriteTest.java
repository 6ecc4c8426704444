package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.Bench.KEY;
import static dev.kvorum.coordinator.Bench.STORED;
import static dev.kvorum.coordinator.Bench.UNREACHABLE;
import static dev.kvorum.coordinator.Bench.superseded;
import static dev.kvorum.coordinator.Bench.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.ScriptedTransport.Ask;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoordinatorWriteTest {
  private final Bench bench = new Bench(5);

  private Ask ask(int other) {
    return bench.transport.only(bench.others.get(other));
  }

  private Versioned own() {
    return bench.store.get(KEY).orElseThrow();
  }

  @Test
  void acknowledgesOnceAckReplicasStoredAndNotBefore() {
    bench.put(3, 5, "a");
    ask(3).answer(STORED);
    assertThat(bench.writes).isEmpty();
    ask(0).answer(STORED);
    assertThat(bench.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
    ask(1).answer(STORED);
    assertThat(bench.finished).isZero();
    ask(2).answer(STORED);
    assertThat(bench.finished).isEqualTo(1);
    assertThat(bench.writes).hasSize(1);
    assertThat(bench.hints.targets()).isEmpty();
  }

  @Test
  void sendsTheSameRecordToExactlyTheFirstFromReplicas() {
    bench.put(2, 3, "a");
    Versioned sent = written(ask(0).request());
    assertThat(sent.from()).isEqualTo(3);
    assertThat(sent).isEqualTo(own()).isEqualTo(written(ask(1).request()));
    assertThat(bench.transport.sent(bench.others.get(2))).isEmpty();
    assertThat(bench.transport.sent(bench.others.get(3))).isEmpty();
  }

  @Test
  void aSingleNodeAnswersAndFinishesDuringTheCall() {
    Bench alone = new Bench(1);
    alone.put(1, 1, "a");
    assertThat(alone.writes).hasSize(1);
    assertThat(alone.finished).isEqualTo(1);
  }

  @Test
  void anOwnReplicaThatAnswersLaterCountsWhenItDoes() {
    bench.store.answerLater();
    bench.put(1, 1, "a");
    assertThat(bench.writes).isEmpty();
    bench.loop.runReady();
    assertThat(bench.writes).hasSize(1);
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void aSupersededQuorumWriteIsTriedAgainAboveTheVersionMet() {
    Version ahead = bench.version(400);
    bench.put(2, 3, "a");
    Version first = own().version();
    Ask late = ask(1);
    ask(0).answer(superseded(ahead));
    assertThat(bench.writes).isEmpty();
    Versioned second = written(ask(0).request());
    assertThat(second.version().isNewerThan(ahead)).isTrue();
    assertThat(second).isEqualTo(own());
    late.answer(STORED);
    assertThat(bench.writes).as("an answer to the first attempt").isEmpty();
    ask(1).answer(STORED);
    assertThat(bench.writes).containsExactly(new WriteOutcome.Acknowledged(second.version()));
    assertThat(second.version().isNewerThan(first)).isTrue();
    assertThat(bench.counted("kvorum.writes.superseded")).isEqualTo(1);
  }

  @Test
  void aLateWriteIsNotPutAboveWhatItsClientMayHaveWrittenSince() {
    bench.put(2, 3, "a");
    Version first = own().version();
    Ask answered = ask(0);
    bench.loop.advance(Bench.TIMEOUT);
    answered.answer(superseded(bench.version(400)));
    assertThat(bench.writes).singleElement().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(own().version()).isEqualTo(first);
  }

  @Test
  void aWriteIsRefusedThatMayHaveWaitedWhileTheLoopStoodStill() {
    bench.coordinator.tick();
    bench.loop.advance(Bench.STANDSTILL_MAX.plusMillis(1));
    bench.put(2, 3, "read before the tick");
    assertThat(bench.coordinator.tick()).isPositive();
    bench.put(2, 3, "read soon after it");
    assertThat(bench.writes)
        .containsExactly(
            new WriteOutcome.Rejected(Refusal.EXPIRED), new WriteOutcome.Rejected(Refusal.EXPIRED));
    assertThat(bench.finished).isEqualTo(2);
    bench.loop.advance(Bench.TIMEOUT);
    bench.put(2, 3, "new");
    assertThat(bench.writes).hasSize(2);
    ask(0).answer(STORED);
    assertThat(bench.writes).hasSize(3).last().isInstanceOf(WriteOutcome.Acknowledged.class);
  }

  @Test
  void whatSupersedesTheSecondAttemptRanBesideItAndCounts() {
    bench.put(2, 3, "a");
    ask(0).answer(superseded(bench.version(100)));
    ask(0).answer(superseded(bench.version(200)));
    assertThat(bench.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
  }

  @Test
  void aVersionTooFarAheadCannotBeOutdoneAndLeavesTheWriteIndeterminate() {
    bench.put(2, 3, "a");
    ask(0).answer(superseded(bench.version(10_000)));
    assertThat(bench.writes).hasSize(1).first().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(bench.finished).isZero();
    ask(1).answer(STORED);
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void failsAtOnceWhenTooManyAreUnreachable() {
    bench.transport.answerInline(bench.others.get(0), request -> UNREACHABLE);
    bench.transport.answerInline(bench.others.get(1), request -> UNREACHABLE);
    bench.put(2, 3, "a");
    assertThat(bench.writes)
        .containsExactly(
            new WriteOutcome.Indeterminate(
                new Quorum(2, 3),
                List.of(
                    new ReplicaAnswer(bench.self, "stored"),
                    new ReplicaAnswer(bench.others.get(0), "unreachable"),
                    new ReplicaAnswer(bench.others.get(1), "unreachable"))));
    assertThat(bench.finished).isEqualTo(1);
    assertThat(bench.hints.targets()).as("hints of an unacknowledged write").isEmpty();
  }

  @Test
  void whoHasNotAnsweredYetIsCalledPendingAndNotTimedOut() {
    bench.put(3, 4, "a");
    ask(0).answer(UNREACHABLE);
    ask(1).answer(UNREACHABLE);
    WriteOutcome.Indeterminate outcome = (WriteOutcome.Indeterminate) bench.writes.getFirst();
    assertThat(outcome.answers()).contains(new ReplicaAnswer(bench.others.get(2), "pending"));
  }

  @Test
  void aSilentQuorumIsIndeterminateAtTheDeadline() {
    bench.put(2, 3, "a");
    bench.pass(Duration.ofMillis(990));
    assertThat(bench.writes).isEmpty();
    bench.pass(Duration.ofMillis(20));
    assertThat(bench.writes).hasSize(1).first().isInstanceOf(WriteOutcome.Indeterminate.class);
    assertThat(bench.finished).isEqualTo(1);
    assertThat(bench.hints.targets()).isEmpty();
  }

  @Test
  void aSecondAttemptDoesNotOutliveTheRequestsDeadlineThoughOthersWaitLonger() {
    bench.put(2, 3, "a");
    bench.pass(Duration.ofMillis(900));
    bench.put(2, 3, "another");
    bench.transport.open(bench.others.get(0)).getFirst().answer(superseded(bench.version(50)));
    bench.pass(Duration.ofMillis(150));
    assertThat(bench.writes).as("first write, 50 ms past its deadline").hasSize(1);
  }

  @Test
  void keepsHintsForThoseThatFailAfterTheAcknowledgement() {
    bench.put(2, 4, "a");
    ask(0).answer(STORED);
    assertThat(bench.writes).hasSize(1);
    assertThat(bench.hints.targets()).isEmpty();
    MemberId failed = bench.others.get(1);
    ask(1).answer(UNREACHABLE);
    assertThat(bench.hints.of(failed)).containsExactly(new Mutation(KEY, own()));
    assertThat(bench.finished).isZero();
    bench.pass(Duration.ofMillis(1010));
    assertThat(bench.hints.targets()).containsExactlyInAnyOrder(failed, bench.others.get(2));
    assertThat(bench.finished).isEqualTo(1);
    assertThat(bench.counted("kvorum.hints.kept")).isEqualTo(2);
  }

  @Test
  void keepsHintsForThoseThatFailedBeforeTheAcknowledgement() {
    bench.put(2, 3, "a");
    ask(0).answer(new ReplicaReply.Wrote(new Applied.Refused(Refusal.DISK_FULL)));
    assertThat(bench.hints.targets()).isEmpty();
    ask(1).answer(STORED);
    assertThat(bench.hints.of(bench.others.get(0))).containsExactly(new Mutation(KEY, own()));
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void aHintHoldsTheVersionThatWasAcknowledged() {
    bench.put(2, 3, "a");
    ask(0).answer(superseded(bench.version(100)));
    ask(0).answer(STORED);
    bench.transport.open(bench.others.get(1)).forEach(open -> open.answer(UNREACHABLE));
    assertThat(bench.writes).containsExactly(new WriteOutcome.Acknowledged(own().version()));
    assertThat(bench.hints.of(bench.others.get(1))).containsExactly(new Mutation(KEY, own()));
  }

  @Test
  void doesNotWaitForASuspectOnceItIsAcknowledged() {
    bench.transport.suspect(bench.others.get(1));
    bench.put(2, 3, "a");
    ask(0).answer(STORED);
    assertThat(bench.finished).isEqualTo(1);
    assertThat(bench.hints.targets()).containsExactly(bench.others.get(1));
    ask(1).answer(UNREACHABLE);
    assertThat(bench.hints.of(bench.others.get(1))).hasSize(1);
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void aHintThatFindsNoRoomIsCounted() {
    bench.hints.fillUp();
    bench.put(2, 3, "a");
    ask(0).answer(STORED);
    ask(1).answer(UNREACHABLE);
    assertThat(bench.counted("kvorum.hints.dropped")).isEqualTo(1);
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void finishesExactlyOnceWhateverIsAnsweredInWhateverOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      Bench one = new Bench(5);
      int from = random.nextInt(1, 6);
      one.put(random.nextInt(1, from + 1), from, "v");
      for (int step = 0; step < 60; step++) {
        MemberId member = one.others.get(random.nextInt(4));
        List<Ask> open = new ArrayList<>(one.transport.open(member));
        if (!open.isEmpty()) {
          open.get(random.nextInt(open.size())).answer(randomReply(one, random));
        }
      }
      one.pass(Duration.ofMillis(1050));
      assertThat(one.writes).as("seed %d, round %d", seed, round).hasSize(1);
      assertThat(one.finished).as("seed %d, round %d", seed, round).isEqualTo(1);
    }
  }

  private static ReplicaReply randomReply(Bench bench, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> UNREACHABLE;
      case 1 -> superseded(bench.version(random.nextInt(-100, 700)));
      default -> STORED;
    };
  }

  @Test
  void aFullDiskRefusesPutsAndTakesDeletes() {
    bench.store.fillUp();
    bench.put(1, 1, "a");
    bench.write(1, 1, new Change.Delete());
    assertThat(bench.writes.getFirst()).isEqualTo(new WriteOutcome.Rejected(Refusal.DISK_FULL));
    assertThat(bench.writes.getLast()).isInstanceOf(WriteOutcome.Acknowledged.class);
    assertThat(own().tombstone()).isTrue();
    assertThat(bench.finished).isEqualTo(2);
  }

  @Test
  void aTimeToLiveBecomesAnAbsoluteExpiryOnce() {
    bench.write(2, 3, new Change.Put(new byte[0], 5000));
    long expiry = bench.clock.wallMillis() + 5000;
    bench.loop.advance(Duration.ofMillis(100));
    ask(0).answer(superseded(bench.version(200)));
    ReplicaRequest again = ask(0).request();
    assertThat(written(again).expiresAtMillis()).isEqualTo(expiry);
  }
}
