package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.CoordinatorHarness.ABSENT;
import static dev.kvorum.coordinator.CoordinatorHarness.KEY;
import static dev.kvorum.coordinator.CoordinatorHarness.UNREACHABLE;
import static dev.kvorum.coordinator.CoordinatorHarness.found;
import static dev.kvorum.coordinator.CoordinatorHarness.foundVersion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

class CoordinatorReadTest {
  private final CoordinatorHarness harness = new CoordinatorHarness(5);

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  private static Detail detail(Ask ask) {
    return ((ReplicaRequest.Read) ask.request()).detail();
  }

  private List<ReplicaRequest> sent(int other) {
    return harness.transport.sent(harness.others.get(other));
  }

  @Test
  void readsItsOwnReplicaWithoutTheNetworkWhenOneAnswerIsEnough() {
    Versioned record = harness.record(0);
    harness.store.put(KEY, record);
    harness.read(1, 5);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(record));
    harness.others.forEach(other -> assertThat(harness.transport.sent(other)).isEmpty());
  }

  @Test
  void asksAsManyAsItNeedsTheRecordFromOneAndVersionsFromTheOthers() {
    Versioned record = harness.record(0);
    harness.store.put(KEY, record);
    harness.read(3, 5);
    assertThat(detail(ask(0))).isEqualTo(Detail.VERSION);
    assertThat(detail(ask(1))).isEqualTo(Detail.VERSION);
    assertThat(sent(2)).isEmpty();
    ask(1).reply(foundVersion(record.version()));
    assertThat(harness.reads).isEmpty();
    ask(0).reply(foundVersion(record.version()));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(record));
    assertThat(harness.member.counted("kvorum.reads.repaired")).isZero();
  }

  @Test
  void asksTheRecordFromThePeerThatComesFirstWhenItHasNoneItself() {
    harness.read(2, 3);
    assertThat(detail(ask(0))).isEqualTo(Detail.RECORD);
    ask(0).reply(ABSENT);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void goesOnToTheNextReplicaWhenOneFails() {
    harness.read(2, 3);
    ask(0).reply(UNREACHABLE);
    assertThat(detail(ask(1))).isEqualTo(Detail.RECORD);
    ask(1).reply(ABSENT);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void asksSuspectsLast() {
    harness.transport.suspect(harness.others.get(0));
    harness.read(2, 3);
    assertThat(sent(0)).isEmpty();
    assertThat(sent(1)).hasSize(1);
  }

  @Test
  void hasNoQuorumAtOnceWhenTooFewCanBeReached() {
    harness.others.forEach(other -> harness.transport.answerInline(other, r -> UNREACHABLE));
    harness.read(2, 3);
    assertThat(harness.reads)
        .containsExactly(
            new ReadOutcome.NoQuorum(
                new Quorum(2, 3),
                List.of(
                    new ReplicaOutcome(harness.self, "absent"),
                    new ReplicaOutcome(harness.others.get(0), "unreachable"),
                    new ReplicaOutcome(harness.others.get(1), "unreachable"))));
  }

  @Test
  void anUnreadableReplicaIsNoVoteForAnAbsence() {
    harness.store.reject(RejectReason.STORAGE_FAILED);
    harness.read(1, 1);
    assertThat(harness.reads).hasSize(1).first().isInstanceOf(ReadOutcome.NoQuorum.class);
  }

  @Test
  void aTombstoneIsNotFound() {
    harness.store.put(KEY, Versioned.tombstone(harness.version(0), 1));
    harness.read(1, 1);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void anExpiredRecordIsNotFoundEvenThoughAnOlderOneLives() {
    Versioned old = harness.record(-100);
    Versioned expired =
        Versioned.live(harness.version(-50), harness.clock.wallMillis() + 10, 2, new byte[] {2});
    harness.store.put(KEY, old);
    harness.read(2, 2);
    ask(0).reply(foundVersion(expired.version()));
    harness.loop.advance(Duration.ofMillis(9));
    ask(0).reply(found(expired));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(expired));
    harness.loop.advance(Duration.ofMillis(1));
    harness.read(2, 2);
    ask(0).reply(foundVersion(expired.version()));
    assertThat(harness.reads).last().isEqualTo(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aSlowReplicaIsHedgedByTheNextAndForgotten() {
    harness.read(2, 3);
    Ask slow = ask(0);
    harness.loop.advance(Duration.ofMillis(9));
    assertThat(sent(1)).isEmpty();
    harness.loop.advance(Duration.ofMillis(2));
    ask(1).reply(ABSENT);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
    assertThat(slow.isCancelled()).isTrue();
    slow.reply(found(harness.record(0)));
    assertThat(harness.reads).hasSize(1);
    assertThat(harness.member.counted("kvorum.reads.hedged")).isEqualTo(1);
  }

  @Test
  void aReadThatIsAnsweredInTimeIsNotHedged() {
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    assertThat(harness.reads).hasSize(1);
    harness.loop.advance(Duration.ofMillis(20));
    assertThat(sent(1)).isEmpty();
  }

  @Test
  void aSlowReadOfItsOwnDiskIsHedgedAfterTheShortestWait() {
    harness.store.hang();
    harness.read(1, 3);
    harness.loop.advance(Duration.ofMillis(9));
    assertThat(sent(0)).isEmpty();
    harness.loop.advance(Duration.ofMillis(2));
    ask(0).reply(ABSENT);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aValueForWhichThereIsNoMemoryIsRejected() {
    harness.store.put(KEY, harness.record(0));
    harness
        .coordinator
        .read(KEY, new Quorum(1, 3), null, bytes -> false)
        .subscribe(harness.reads::add);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Rejected(RejectReason.OVERLOADED));
  }

  @Test
  void aSpentBudgetAllowsNoHedge() {
    CoordinatorHarness poor = new CoordinatorHarness(3, 0);
    for (int read = 0; read < 51; read++) {
      poor.read(2, 3);
    }
    poor.loop.advance(Duration.ofMillis(20));
    assertThat(poor.transport.sent(poor.others.get(1))).hasSize(50);
  }

  @Test
  void aSlowHolderOfTheNewestRecordIsHedgedToo() {
    Versioned newest = harness.record(0);
    harness.store.put(KEY, harness.record(-10));
    harness.read(2, 3);
    ask(0).reply(foundVersion(newest.version()));
    assertThat(detail(ask(0))).isEqualTo(Detail.RECORD);
    harness.loop.advance(Duration.ofMillis(20));
    assertThat(detail(ask(1))).isEqualTo(Detail.RECORD);
    ask(1).reply(found(newest));
    assertThat(harness.reads)
        .as("two replicas hold it")
        .containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaThatFailsBetweenVersionAndRecordIsReplacedByAnother() {
    Versioned own = harness.record(-10);
    harness.store.put(KEY, own);
    harness.read(2, 3);
    ask(0).reply(foundVersion(harness.record(0).version()));
    ask(0).reply(UNREACHABLE);
    ask(1).reply(foundVersion(own.version()));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(own));
  }

  @Test
  void theDeadlineEndsAReadThatNobodyAnswers() {
    harness.read(2, 3);
    harness.member.pass(Duration.ofMillis(1010));
    assertThat(harness.reads).hasSize(1).first().isInstanceOf(ReadOutcome.NoQuorum.class);
    for (MemberId other : harness.others) {
      assertThat(harness.transport.open(other)).allMatch(Ask::isCancelled);
    }
  }

  @Test
  void aCancelledReadStopsWaiting() {
    Disposable read =
        harness
            .coordinator
            .read(KEY, new Quorum(2, 3), bytes -> true)
            .subscribe(harness.reads::add);
    Ask open = ask(0);
    read.dispose();
    assertThat(open.isCancelled()).isTrue();
    harness.member.pass(Duration.ofMillis(1010));
    assertThat(harness.reads).isEmpty();
    assertThat(sent(1)).isEmpty();
  }

  @Test
  void aReadThatIsCancelledBeforeItBeginsAsksNobody() {
    harness
        .coordinator
        .read(KEY, new Quorum(2, 3), bytes -> true)
        .subscribe(
            new BaseSubscriber<ReadOutcome>() {
              @Override
              protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                subscription.cancel();
              }
            });
    assertThat(sent(0)).isEmpty();
  }
}
