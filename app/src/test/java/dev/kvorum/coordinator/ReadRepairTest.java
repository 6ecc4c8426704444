package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.CoordinatorHarness.ABSENT;
import static dev.kvorum.coordinator.CoordinatorHarness.KEY;
import static dev.kvorum.coordinator.CoordinatorHarness.STORED;
import static dev.kvorum.coordinator.CoordinatorHarness.UNREACHABLE;
import static dev.kvorum.coordinator.CoordinatorHarness.found;
import static dev.kvorum.coordinator.CoordinatorHarness.foundVersion;
import static dev.kvorum.coordinator.CoordinatorHarness.superseded;
import static dev.kvorum.coordinator.CoordinatorHarness.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadRepairTest {
  private static final ReplicaReply TOO_OLD =
      new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.TOO_OLD));

  private final CoordinatorHarness harness = new CoordinatorHarness(5);
  private final Versioned newest = harness.record(0);

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  @Test
  void aMajorityReadRepairsBeforeItAnswers() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    assertThat(harness.reads).isEmpty();
    assertThat(written(ask(0).request())).isEqualTo(newest);
    ask(0).reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(harness.member.counted("kvorum.reads.repaired")).isEqualTo(1);
  }

  @Test
  void theOwnReplicaIsRepairedLikeAnyOther() {
    harness.read(2, 3);
    ask(0).reply(found(newest));
    assertThat(harness.store.get(KEY)).contains(newest);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaWhoseRecordDoesNotMatchItsChecksumIsRepaired() {
    int checksum = newest.sealed(KEY).checksum();
    harness.store.put(
        KEY,
        Versioned.received(newest.version(), RecordKind.VALUE, 0, 3, new byte[] {2}, checksum));
    harness.read(2, 3);
    ask(0).reply(found(newest));
    assertThat(harness.reads).as("its own does not count").isEmpty();
    ask(1).reply(foundVersion(newest.version()));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(harness.store.get(KEY).map(held -> held.isIntact(KEY))).contains(true);
  }

  @Test
  void aReplyThatDoesNotMatchItsChecksumIsNoAnswer() {
    int checksum = newest.sealed(KEY).checksum();
    Versioned changed =
        Versioned.received(newest.version(), RecordKind.VALUE, 0, 3, new byte[] {2}, checksum);
    harness.read(2, 3);
    ask(0).reply(new ReplicaReply.ReadReply(new ReadResult.Found(changed)));
    assertThat(harness.reads).isEmpty();
    ask(1).reply(found(newest));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aReplicaThatRemovedATombstoneNeedNotTakeItAgain() {
    harness.store.put(KEY, Versioned.tombstone(harness.version(0), 3));
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(TOO_OLD);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aReplicaThatRemovedAnExpiredRecordNeedNotTakeItAgain() {
    long now = harness.loop.wallClock(0).millis();
    harness.store.put(KEY, Versioned.live(newest.version(), now - 1, 3, newest.value()));
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(TOO_OLD);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aRecordThatExpiresLaterIsNotHeldByAReplicaThatRejectsIt() {
    long now = harness.loop.wallClock(0).millis();
    Versioned live = Versioned.live(newest.version(), now + 60_000, 3, newest.value());
    harness.store.put(KEY, live);
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(TOO_OLD);
    assertThat(harness.reads).isEmpty();
    ask(1).reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(live));
  }

  @Test
  void aReplicaThatRejectsAnOldValueDoesNotHoldIt() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(TOO_OLD);
    assertThat(harness.reads).isEmpty();
    ask(1).reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aTombstoneIsRepairedBeforeItIsNotFound() {
    Versioned tombstone = Versioned.tombstone(harness.version(0), 3);
    harness.store.put(KEY, harness.record(-100));
    harness.read(2, 3);
    ask(0).reply(foundVersion(tombstone.version()));
    harness.store.answerLater();
    ask(0).reply(found(tombstone));
    assertThat(harness.reads).isEmpty();
    harness.loop.runReady();
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
    assertThat(harness.store.get(KEY)).contains(tombstone);
  }

  @Test
  void aReadBelowMajorityRepairsInTheBackground() {
    harness.store.put(KEY, newest);
    harness.read(2, 4);
    ask(0).reply(ABSENT);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
    assertThat(written(ask(0).request())).isEqualTo(newest);
  }

  @Test
  void enoughHoldersNeedNoRepairBeforeTheAnswer() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    Ask slow = ask(0);
    harness.loop.advance(Duration.ofMillis(11));
    slow.reply(ABSENT);
    assertThat(harness.reads).isEmpty();
    assertThat(written(ask(0).request())).isEqualTo(newest);
  }

  @Test
  void whatSupersedesTheRepairIsAsGood() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(superseded(harness.version(1)));
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aRepairThatFailsIsTriedOnTheReplicasNotAskedYet() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    ask(0).reply(ABSENT);
    ask(0).reply(UNREACHABLE);
    assertThat(harness.reads).isEmpty();
    assertThat(written(ask(1).request())).isEqualTo(newest);
    ask(1).reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void aRepairThatFailsIsTriedOnTheReplicaThatWasTooSlowToRead() {
    harness.store.put(KEY, newest);
    harness.read(2, 3);
    harness.loop.advance(Duration.ofMillis(11));
    Ask slow = ask(0);
    ask(1).reply(ABSENT);
    assertThat(slow.isCancelled()).isTrue();
    ask(1).reply(UNREACHABLE);
    Ask last = harness.transport.open(harness.others.get(0)).getLast();
    assertThat(written(last.request())).isEqualTo(newest);
    last.reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
  }

  @Test
  void withoutEnoughRepairsTheReadIsUnanswered() {
    harness.store.put(KEY, newest);
    harness.read(2, 2);
    ask(0).reply(ABSENT);
    ask(0).reply(UNREACHABLE);
    assertThat(harness.reads).hasSize(1).first().isInstanceOf(ReadOutcome.NoQuorum.class);
  }

  /** Of more replicas than have copies, so many may be away as the read can do without. */
  @Test
  void aRecordOfFewerCopiesIsRepairedWhereAReplyWasOlder() {
    Versioned tombstone = Versioned.tombstone(harness.version(0), 3);
    harness.store.put(KEY, tombstone);
    harness.read(3, 4);
    ask(0).reply(UNREACHABLE);
    ask(1).reply(ABSENT);
    ask(2).reply(ABSENT);
    assertThat(harness.reads).isEmpty();
    assertThat(written(ask(1).request())).isEqualTo(tombstone);
    ask(1).reply(TOO_OLD);
    assertThat(harness.reads).containsExactly(ReadOutcome.NotFound.NOT_FOUND);
  }

  @Test
  void aRepairEndsAtTheDeadlineOfItsReadThoughOthersWaitLonger() {
    harness.store.put(KEY, newest);
    harness.read(2, 2);
    harness.member.pass(Duration.ofMillis(900));
    harness.read(2, 2);
    harness.transport.open(harness.others.get(0)).getFirst().reply(ABSENT);
    harness.member.pass(Duration.ofMillis(150));
    assertThat(harness.reads).as("first read, 50 ms past its deadline").hasSize(1);
  }

  @Test
  void theRecordOfALaggingClockLiftsTheReadersClock() {
    Versioned ahead = harness.record(400);
    harness.store.put(KEY, ahead);
    harness.read(1, 1);
    assertThat(java.util.Objects.requireNonNull(harness.clock.next()).isNewerThan(ahead.version()))
        .isTrue();
  }
}
