package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.Bench.ABSENT;
import static dev.kvorum.coordinator.Bench.KEY;
import static dev.kvorum.coordinator.Bench.UNREACHABLE;
import static dev.kvorum.coordinator.Bench.found;
import static dev.kvorum.coordinator.Bench.foundVersion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.ScriptedTransport.Ask;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

class CoordinatorReadTest {
  private final Bench bench = new Bench(5);

  private Ask ask(int other) {
    return bench.transport.only(bench.others.get(other));
  }

  private static Detail detail(Ask ask) {
    return ((ReplicaRequest.Read) ask.request()).detail();
  }

  private List<ReplicaRequest> sent(int other) {
    return bench.transport.sent(bench.others.get(other));
  }

  @Test
  void readsItsOwnReplicaWithoutTheNetworkWhenOneAnswerIsEnough() {
    Versioned record = bench.record(0);
    bench.store.put(KEY, record);
    bench.read(1, 5);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(record));
    bench.others.forEach(other -> assertThat(bench.transport.sent(other)).isEmpty());
  }

  @Test
  void asksAsManyAsItNeedsTheRecordFromOneAndVersionsFromTheOthers() {
    Versioned record = bench.record(0);
    bench.store.put(KEY, record);
    bench.read(3, 5);
    assertThat(detail(ask(0))).isEqualTo(Detail.VERSION);
    assertThat(detail(ask(1))).isEqualTo(Detail.VERSION);
    assertThat(sent(2)).isEmpty();
    ask(1).answer(foundVersion(record.version()));
    assertThat(bench.reads).isEmpty();
    ask(0).answer(foundVersion(record.version()));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(record));
    assertThat(bench.counted("kvorum.reads.repaired")).isZero();
  }

  @Test
  void asksTheRecordFromThePeerThatComesFirstWhenItHasNoneItself() {
    bench.read(2, 3);
    assertThat(detail(ask(0))).isEqualTo(Detail.RECORD);
    ask(0).answer(ABSENT);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void goesOnToTheNextReplicaWhenOneFails() {
    bench.read(2, 3);
    ask(0).answer(UNREACHABLE);
    assertThat(detail(ask(1))).isEqualTo(Detail.RECORD);
    ask(1).answer(ABSENT);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void asksSuspectsLast() {
    bench.transport.suspect(bench.others.get(0));
    bench.read(2, 3);
    assertThat(sent(0)).isEmpty();
    assertThat(sent(1)).hasSize(1);
  }

  @Test
  void isUnansweredAtOnceWhenTooFewCanBeReached() {
    bench.others.forEach(other -> bench.transport.answerInline(other, r -> UNREACHABLE));
    bench.read(2, 3);
    assertThat(bench.reads)
        .containsExactly(
            new ReadOutcome.Unanswered(
                new Quorum(2, 3),
                List.of(
                    new ReplicaAnswer(bench.self, "absent"),
                    new ReplicaAnswer(bench.others.get(0), "unreachable"),
                    new ReplicaAnswer(bench.others.get(1), "unreachable"))));
  }

  @Test
  void anUnreadableReplicaIsNoVoteForAnAbsence() {
    bench.store.refuse(Refusal.STORAGE_FAILED);
    bench.read(1, 1);
    assertThat(bench.reads).hasSize(1).first().isInstanceOf(ReadOutcome.Unanswered.class);
  }

  @Test
  void aTombstoneIsNotFound() {
    bench.store.put(KEY, Versioned.tombstone(bench.version(0), 1));
    bench.read(1, 1);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void anExpiredRecordIsNotFoundEvenThoughAnOlderOneLives() {
    Versioned old = bench.record(-100);
    Versioned expired =
        Versioned.live(bench.version(-50), bench.clock.wallMillis() + 10, 2, new byte[] {2});
    bench.store.put(KEY, old);
    bench.read(2, 2);
    ask(0).answer(foundVersion(expired.version()));
    bench.loop.advance(Duration.ofMillis(9));
    ask(0).answer(found(expired));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(expired));
    bench.loop.advance(Duration.ofMillis(1));
    bench.read(2, 2);
    ask(0).answer(foundVersion(expired.version()));
    assertThat(bench.reads).last().isEqualTo(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aSlowReplicaIsHedgedByTheNextAndForgotten() {
    bench.read(2, 3);
    Ask slow = ask(0);
    bench.loop.advance(Duration.ofMillis(9));
    assertThat(sent(1)).isEmpty();
    bench.loop.advance(Duration.ofMillis(2));
    ask(1).answer(ABSENT);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
    assertThat(slow.isCancelled()).isTrue();
    slow.answer(found(bench.record(0)));
    assertThat(bench.reads).hasSize(1);
    assertThat(bench.counted("kvorum.reads.hedged")).isEqualTo(1);
  }

  @Test
  void aSpentBudgetAllowsNoHedge() {
    Bench poor = new Bench(3, 0);
    for (int read = 0; read < 51; read++) {
      poor.read(2, 3);
    }
    poor.loop.advance(Duration.ofMillis(20));
    assertThat(poor.transport.sent(poor.others.get(1))).hasSize(50);
  }

  @Test
  void aSlowHolderOfTheNewestRecordIsHedgedToo() {
    Versioned newest = bench.record(0);
    bench.store.put(KEY, bench.record(-10));
    bench.read(2, 3);
    ask(0).answer(foundVersion(newest.version()));
    assertThat(detail(ask(0))).isEqualTo(Detail.RECORD);
    bench.loop.advance(Duration.ofMillis(20));
    assertThat(detail(ask(1))).isEqualTo(Detail.RECORD);
    ask(1).answer(found(newest));
    assertThat(bench.reads)
        .as("two replicas hold it")
        .containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaThatFailsBetweenVersionAndRecordIsReplacedByAnother() {
    Versioned own = bench.record(-10);
    bench.store.put(KEY, own);
    bench.read(2, 3);
    ask(0).answer(foundVersion(bench.record(0).version()));
    ask(0).answer(UNREACHABLE);
    ask(1).answer(foundVersion(own.version()));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(own));
  }

  @Test
  void theDeadlineEndsAReadThatNobodyAnswers() {
    bench.read(2, 3);
    bench.pass(Duration.ofMillis(1010));
    assertThat(bench.reads).hasSize(1).first().isInstanceOf(ReadOutcome.Unanswered.class);
    for (MemberId other : bench.others) {
      assertThat(bench.transport.open(other)).allMatch(Ask::isCancelled);
    }
  }

  @Test
  void aCancelledReadStopsWaiting() {
    Disposable read =
        bench.coordinator.read(KEY, new Quorum(2, 3), bytes -> true).subscribe(bench.reads::add);
    Ask open = ask(0);
    read.dispose();
    assertThat(open.isCancelled()).isTrue();
    bench.pass(Duration.ofMillis(1010));
    assertThat(bench.reads).isEmpty();
    assertThat(sent(1)).isEmpty();
  }

  @Test
  void aReadThatIsCancelledBeforeItBeginsAsksNobody() {
    bench
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
