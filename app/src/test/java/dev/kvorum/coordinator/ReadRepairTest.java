package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.Bench.ABSENT;
import static dev.kvorum.coordinator.Bench.KEY;
import static dev.kvorum.coordinator.Bench.STORED;
import static dev.kvorum.coordinator.Bench.UNREACHABLE;
import static dev.kvorum.coordinator.Bench.found;
import static dev.kvorum.coordinator.Bench.foundVersion;
import static dev.kvorum.coordinator.Bench.superseded;
import static dev.kvorum.coordinator.Bench.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ScriptedTransport.Ask;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadRepairTest {
  private static final ReplicaReply TOO_OLD =
      new ReplicaReply.Wrote(new Applied.Refused(Refusal.TOO_OLD));

  private final Bench bench = new Bench(5);
  private final Versioned newest = bench.record(0);

  private Ask ask(int other) {
    return bench.transport.only(bench.others.get(other));
  }

  @Test
  void aMajorityReadRepairsBeforeItAnswers() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    assertThat(bench.reads).isEmpty();
    assertThat(written(ask(0).request())).isEqualTo(newest);
    ask(0).answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(bench.counted("kvorum.reads.repaired")).isEqualTo(1);
  }

  @Test
  void theOwnReplicaIsRepairedLikeAnyOther() {
    bench.read(2, 3);
    ask(0).answer(found(newest));
    assertThat(bench.store.get(KEY)).contains(newest);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaWhoseRecordDoesNotMatchItsChecksumIsRepaired() {
    int checksum = newest.sealed(KEY).checksum();
    bench.store.put(
        KEY, Versioned.received(newest.version(), false, 0, 3, new byte[] {2}, checksum));
    bench.read(2, 3);
    ask(0).answer(found(newest));
    assertThat(bench.reads).as("its own does not count").isEmpty();
    ask(1).answer(foundVersion(newest.version()));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(bench.store.get(KEY).map(held -> held.isIntact(KEY))).contains(true);
  }

  @Test
  void aReplyThatDoesNotMatchItsChecksumIsNoAnswer() {
    int checksum = newest.sealed(KEY).checksum();
    Versioned changed = Versioned.received(newest.version(), false, 0, 3, new byte[] {2}, checksum);
    bench.read(2, 3);
    ask(0).answer(new ReplicaReply.Looked(new Lookup.Found(changed)));
    assertThat(bench.reads).isEmpty();
    ask(1).answer(found(newest));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaThatRemovedATombstoneNeedNotTakeItAgain() {
    bench.store.put(KEY, Versioned.tombstone(bench.version(0), 3));
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(TOO_OLD);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aReplicaThatRemovedAnExpiredRecordNeedNotTakeItAgain() {
    long now = bench.loop.wallClock(0).millis();
    bench.store.put(KEY, Versioned.live(newest.version(), now - 1, 3, newest.value()));
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(TOO_OLD);
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aRecordThatExpiresLaterIsNotHeldByAReplicaThatRefusesIt() {
    long now = bench.loop.wallClock(0).millis();
    Versioned live = Versioned.live(newest.version(), now + 60_000, 3, newest.value());
    bench.store.put(KEY, live);
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(TOO_OLD);
    assertThat(bench.reads).isEmpty();
    ask(1).answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(live));
  }

  @Test
  void aReplicaThatRefusesAnOldValueDoesNotHoldIt() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(TOO_OLD);
    assertThat(bench.reads).isEmpty();
    ask(1).answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aTombstoneIsRepairedBeforeItIsNotFound() {
    Versioned tombstone = Versioned.tombstone(bench.version(0), 3);
    bench.store.put(KEY, bench.record(-100));
    bench.read(2, 3);
    ask(0).answer(foundVersion(tombstone.version()));
    bench.store.answerLater();
    ask(0).answer(found(tombstone));
    assertThat(bench.reads).isEmpty();
    bench.loop.runReady();
    assertThat(bench.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
    assertThat(bench.store.get(KEY)).contains(tombstone);
  }

  @Test
  void aReadBelowMajorityRepairsInTheBackground() {
    bench.store.put(KEY, newest);
    bench.read(2, 4);
    ask(0).answer(ABSENT);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(written(ask(0).request())).isEqualTo(newest);
  }

  @Test
  void enoughHoldersNeedNoRepairBeforeTheAnswer() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    Ask slow = ask(0);
    bench.loop.advance(Duration.ofMillis(11));
    slow.answer(ABSENT);
    assertThat(bench.reads).isEmpty();
    assertThat(written(ask(0).request())).isEqualTo(newest);
  }

  @Test
  void whatSupersedesTheRepairIsAsGood() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(superseded(bench.version(1)));
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aRepairThatFailsIsTriedOnTheReplicasNotAskedYet() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    ask(0).answer(ABSENT);
    ask(0).answer(UNREACHABLE);
    assertThat(bench.reads).isEmpty();
    assertThat(written(ask(1).request())).isEqualTo(newest);
    ask(1).answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aRepairThatFailsIsTriedOnTheReplicaThatWasTooSlowToRead() {
    bench.store.put(KEY, newest);
    bench.read(2, 3);
    bench.loop.advance(Duration.ofMillis(11));
    Ask slow = ask(0);
    ask(1).answer(ABSENT);
    assertThat(slow.isCancelled()).isTrue();
    ask(1).answer(UNREACHABLE);
    Ask last = bench.transport.open(bench.others.get(0)).getLast();
    assertThat(written(last.request())).isEqualTo(newest);
    last.answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void withoutEnoughRepairsTheReadIsUnanswered() {
    bench.store.put(KEY, newest);
    bench.read(2, 2);
    ask(0).answer(ABSENT);
    ask(0).answer(UNREACHABLE);
    assertThat(bench.reads).hasSize(1).first().isInstanceOf(ReadOutcome.Unanswered.class);
  }

  @Test
  void aRepairEndsAtTheDeadlineOfItsReadThoughOthersWaitLonger() {
    bench.store.put(KEY, newest);
    bench.read(2, 2);
    bench.pass(Duration.ofMillis(900));
    bench.read(2, 2);
    bench.transport.open(bench.others.get(0)).getFirst().answer(ABSENT);
    bench.pass(Duration.ofMillis(150));
    assertThat(bench.reads).as("first read, 50 ms past its deadline").hasSize(1);
  }

  @Test
  void theRecordOfALaggingClockLiftsTheReadersClock() {
    Versioned ahead = bench.record(400);
    bench.store.put(KEY, ahead);
    bench.read(1, 1);
    assertThat(java.util.Objects.requireNonNull(bench.clock.next()).isNewerThan(ahead.version()))
        .isTrue();
  }
}
