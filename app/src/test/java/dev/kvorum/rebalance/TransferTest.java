package dev.kvorum.rebalance;

import static dev.kvorum.rebalance.RebalanceHarness.OTHERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a member gains comes from all the others, once, and proven. */
class TransferTest {
  private static final Layout JOINING = RebalanceHarness.layout(2, Phase.TRANSFERRING);
  private static final MemberId FIRST = OTHERS.getFirst();

  private final RebalanceHarness harness = new RebalanceHarness();

  private CopyGained asked(MemberId source) {
    return (CopyGained) harness.network.only(source).request();
  }

  /** Sends one record, the last one or with more behind it; the sum is what a source would send. */
  private void send(MemberId source, Mutation record, boolean more) {
    RecordSum sum = asked(source).sent().plus(record);
    Optional<Key> next = more ? Optional.of(record.key()) : Optional.empty();
    send(source, new TransferReply.Gained(List.of(record), next, sum));
  }

  private void send(MemberId source, ReplicaReply reply) {
    harness.network.only(source).reply(reply);
    harness.loop.runReady();
  }

  private void waitABit() {
    harness.loop.advance(Duration.ofSeconds(1));
  }

  @Test
  void isOverWhenEverySourceHasSentAll() {
    Rebalance joiner = harness.start(JOINING);
    for (int i = 0; i < OTHERS.size(); i++) {
      assertThat(joiner.report().state()).isEqualTo(State.RUNNING);
      assertThat(asked(OTHERS.get(i)).after()).isEmpty();
      send(OTHERS.get(i), harness.kept(2 * i), true);
      assertThat(asked(OTHERS.get(i)).after()).contains(harness.kept(2 * i).key());
      send(OTHERS.get(i), harness.kept(2 * i + 1), false);
      assertThat(joiner.report().sourcesDone()).isEqualTo(i + 1);
    }
    assertThat(joiner.report().state()).isEqualTo(State.DONE);
    assertThat(joiner.report().records()).isEqualTo(6);
    assertThat(harness.store.keys()).hasSize(6);
  }

  @Test
  void aSourceThatFailsResumesWhereItWas() {
    harness.start(JOINING);
    send(FIRST, harness.kept(1), true);
    send(FIRST, new ReplicaReply.Failed(RejectReason.UNREACHABLE));
    assertThat(harness.network.open(FIRST)).as("not at once").isEmpty();
    waitABit();
    assertThat(asked(FIRST).after()).contains(harness.kept(1).key());
  }

  @Test
  void aRecordThatChangedOnTheWayIsAskedForAgain() {
    Rebalance joiner = harness.start(JOINING);
    Mutation changed = harness.kept(1);
    RecordSum sum = asked(FIRST).sent().plus(harness.kept(1));
    changed.record().value()[3] ^= 16;
    send(FIRST, new TransferReply.Gained(List.of(changed), Optional.empty(), sum));
    assertThat(harness.store.keys()).isEmpty();
    waitABit();
    send(FIRST, harness.kept(1), false);
    assertThat(joiner.report().sourcesDone()).isEqualTo(1);
    assertThat(harness.store.get(harness.kept(1).key())).contains(harness.kept(1).record());
  }

  @Test
  void aSumThatIsNotThatOfWhatCameBeginsAgain() {
    Rebalance joiner = harness.start(JOINING);
    RecordSum sentMore = RecordSum.NONE.plus(harness.kept(1)).plus(harness.kept(2));
    send(FIRST, new TransferReply.Gained(List.of(harness.kept(1)), Optional.empty(), sentMore));
    assertThat(joiner.report().sourcesDone()).isZero();
    waitABit();
    assertThat(asked(FIRST).after()).isEmpty();
    assertThat(asked(FIRST).sent()).isEqualTo(RecordSum.NONE);
  }

  @Test
  void aStoreThatWasReplacedNeedsAllOfThemAgain() {
    Rebalance joiner = harness.start(JOINING);
    send(FIRST, harness.kept(1), false);
    harness.store.reset();
    joiner.onStoreReplaced();
    harness.loop.runReady();
    assertThat(joiner.report().sourcesDone()).isZero();
    assertThat(asked(FIRST).after()).isEmpty();
  }

  @Test
  void theSecondEpochCopiesFromAllOnceMore() {
    Rebalance joiner = harness.start(JOINING);
    OTHERS.forEach(source -> send(source, harness.kept(1), false));
    assertThat(joiner.report().state()).isEqualTo(State.DONE);
    joiner.follow(RebalanceHarness.layout(3, Phase.SETTLING));
    assertThat(joiner.report().state()).isEqualTo(State.RUNNING);
    for (MemberId source : OTHERS) {
      assertThat(asked(source).epoch()).isEqualTo(3);
      assertThat(asked(source).since()).as("what came since only").isPositive();
    }
  }
}
