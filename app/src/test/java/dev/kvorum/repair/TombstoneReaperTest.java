package dev.kvorum.repair;

import static dev.kvorum.repair.RepairBench.AGE_MIN;
import static dev.kvorum.repair.RepairBench.HORIZON;
import static dev.kvorum.repair.RepairBench.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tombstones end, and nothing that they deleted comes back. */
class TombstoneReaperTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final Duration OLD = AGE_MIN.plus(INTERVAL.multipliedBy(4));

  private final RepairBench bench = new RepairBench(3);
  private final MemberId a = bench.members.get(0);
  private final MemberId b = bench.members.get(1);
  private final MemberId c = bench.members.get(2);
  private final Key key = Key.of("deleted");

  private List<ReplicaReply> write(MemberId member, Versioned record) {
    List<ReplicaReply> replies = new ArrayList<>();
    Site site = bench.site(member);
    long deadline = bench.loop.nanoTime() + 1_000_000_000L;
    site.replicas.ask(
        member, new ReplicaRequest.Write(new Mutation(key, record)), deadline, replies::add);
    return replies;
  }

  private boolean isGone(MemberId member) {
    return bench.store(member).get(key).isEmpty();
  }

  @Test
  void aTombstoneGoesOnceItIsOldAndEverybodyHasComparedItSince() {
    bench.start();
    bench.put(key, bench.live(Duration.ofMinutes(2), 3));
    bench.put(key, bench.tombstone(MOMENT, 3));
    bench.pass(AGE_MIN);
    assertThat(isGone(a)).isFalse();
    bench.pass(INTERVAL.multipliedBy(4));
    bench.members.forEach(member -> assertThat(isGone(member)).as("seed " + bench.seed).isTrue());
    assertThat(bench.site(a).counted("kvorum.repair.tombstones.removed")).isEqualTo(1);
    assertThat(bench.sites.values()).allMatch(site -> site.startOvers.isEmpty());
    assertThat(bench.site(a).counted("kvorum.repair.pulls.failed")).isZero();
  }

  @Test
  void aLateCopyOfWhatItDeletedIsRefused() {
    bench.start();
    Versioned deleted = bench.live(Duration.ofMinutes(2), 3);
    bench.put(key, bench.tombstone(MOMENT, 3));
    bench.pass(OLD);
    assertThat(isGone(a)).isTrue();
    assertThat(write(a, deleted))
        .containsExactly(new ReplicaReply.Wrote(new Applied.Refused(Refusal.TOO_OLD)));
    assertThat(isGone(a)).isTrue();
  }

  @Test
  void itStaysWhileOneMemberIsAway() {
    bench.start();
    bench.put(key, bench.live(Duration.ofMinutes(2), 3));
    bench.network.cutOff(c);
    bench.putExcept(key, bench.tombstone(MOMENT, 3), Set.of(c));
    bench.pass(OLD.multipliedBy(2));
    assertThat(isGone(a)).isFalse();
    assertThat(isGone(b)).isFalse();
    bench.network.bringBack(c);
    bench.pass(OLD);
    bench.members.forEach(member -> assertThat(isGone(member)).as("seed " + bench.seed).isTrue());
    assertThat(bench.site(c).startOvers).isEmpty();
  }

  @Test
  void oneThatArrivesLateWaitsForAllToCompareAgain() {
    bench.start();
    bench.put(key, bench.live(OLD.multipliedBy(3), 3));
    // Only one of three ever got the deletion, and for long nobody could ask it.
    Versioned tombstone = bench.tombstone(OLD.multipliedBy(2), 3);
    bench.pass(INTERVAL.multipliedBy(2));
    bench.network.part(a, c);
    bench.network.part(b, c);
    bench.pass(MOMENT);
    assertThat(write(a, tombstone)).hasSize(1);
    bench.pass(INTERVAL.multipliedBy(4));
    assertThat(bench.store(a).get(key)).contains(tombstone);
    assertThat(bench.store(b).get(key)).contains(tombstone);
    bench.network.heal();
    bench.pass(INTERVAL.multipliedBy(4));
    bench.members.forEach(member ->
        assertThat(bench.store(member).get(key).filter(record -> !record.tombstone()))
            .as("seed " + bench.seed)
            .isEmpty());
  }

  @Test
  void aMemberThatWasAwayForTooLongStartsOver() {
    bench.start();
    bench.put(key, bench.live(Duration.ofMinutes(2), 3));
    Key other = Key.of("kept");
    bench.put(other, bench.live(Duration.ofMinutes(2), 3));
    bench.pass(INTERVAL.multipliedBy(3));
    bench.kill(c);
    bench.putExcept(key, bench.tombstone(MOMENT, 3), Set.of(c));
    bench.pass(HORIZON.minus(INTERVAL.multipliedBy(3)));
    assertThat(isGone(a)).as("within the horizon").isFalse();
    bench.pass(INTERVAL.multipliedBy(8));
    assertThat(isGone(a)).isTrue();
    assertThat(isGone(c)).isFalse();
    Site back = bench.start(c);
    bench.loop.runReady();
    assertThat(back.votesOnAll()).isFalse();
    bench.pass(INTERVAL);
    assertThat(back.startOvers).hasSize(1);
    assertThat(back.votesOnAll()).as("seed " + bench.seed).isTrue();
    bench.pass(OLD);
    bench.members.forEach(member -> assertThat(isGone(member)).as("seed " + bench.seed).isTrue());
    assertThat(bench.store(c).get(other)).isPresent();
    assertThat(back.startOvers).hasSize(1);
  }

  @Test
  void aMinorityNeverForgetsOnItsOwn() {
    bench.start();
    bench.pass(INTERVAL.multipliedBy(2));
    bench.network.part(a, b);
    bench.network.part(a, c);
    bench.store(a).put(key, bench.tombstone(MOMENT, 3));
    bench.pass(HORIZON.plus(OLD));
    assertThat(isGone(a)).isFalse();
    bench.network.heal();
    bench.pass(INTERVAL.multipliedBy(2));
    assertThat(bench.sites.values()).allMatch(site -> site.startOvers.isEmpty());
  }

  /** Stopped in the middle of a pull, for a time in which what it fetched is deleted elsewhere. */
  @Test
  void aStoppedPullerBringsNothingBack() {
    for (int messages = 1; messages < 30; messages += 3) {
      RepairBench each = new RepairBench(3).start();
      each.putExcept(key, each.live(Duration.ofMinutes(2), 3), Set.of(a));
      long until = each.network.messages() + messages;
      while (each.network.messages() < until) {
        each.loop.runNext();
      }
      each.site(a).loop.stop();
      each.pass(MOMENT.multipliedBy(20));
      each.putExcept(key, each.tombstone(MOMENT, 3), Set.of(a));
      Duration stopped = messages == 13 ? HORIZON.plus(OLD) : OLD;
      each.pass(stopped);
      each.site(a).loop.goOn();
      each.pass(OLD);
      each.members.forEach(member ->
          assertThat(each.store(member).get(key).filter(record -> !record.tombstone()))
              .as("seed %d, message %d", each.seed, until)
              .isEmpty());
    }
  }

  @Test
  void whatWasCopiedBeforeItsTombstoneCameDoesNotComeBackWhenThatIsGone() {
    bench.start();
    MemberId lost = bench.members.get(0);
    MemberId behind = bench.members.get(1);
    MemberId ahead = bench.members.get(2);
    Key key = Key.of("k");
    bench.put(key, bench.live(AGE_MIN.multipliedBy(3), 3));
    bench.kill(lost);
    bench.loseDisk(lost);
    bench.network.part(lost, ahead);
    bench.network.part(behind, ahead);
    bench.putExcept(key, bench.tombstone(AGE_MIN.multipliedBy(2), 3), Set.of(lost, behind));
    Site rebuilding = bench.start(lost);
    bench.pass(INTERVAL);
    assertThat(bench.store(lost).get(key)).as("copied").isPresent();
    assertThat(rebuilding.votesOnAll()).isFalse();
    bench.network.heal();
    bench.network.cutOff(lost);
    bench.pass(HORIZON.plus(OLD));
    assertThat(bench.store(behind).get(key)).as("the tombstone is gone").isEmpty();
    assertThat(bench.store(ahead).get(key)).isEmpty();
    bench.network.bringBack(lost);
    bench.pass(INTERVAL.multipliedBy(3));
    assertThat(rebuilding.startOvers).hasSize(1);
    assertThat(rebuilding.votesOnAll()).isTrue();
    assertThat(bench.store(lost).get(key)).isEmpty();
    assertThat(bench.store(behind).get(key)).isEmpty();
    bench.assertEqual();
  }

  @Test
  void aTombstoneThatCameLateAndWentWithoutAMemberIsNotForgottenToIt() {
    bench.start();
    MemberId away = bench.members.get(2);
    Key key = Key.of("k");
    bench.put(key, bench.live(AGE_MIN.multipliedBy(3), 3));
    bench.pass(INTERVAL.multipliedBy(3));
    bench.network.cutOff(away);
    // Older than what the member is known to have, and which it has not.
    bench.putExcept(key, bench.tombstone(AGE_MIN.dividedBy(2), 3), Set.of(away));
    bench.pass(HORIZON.plus(OLD));
    assertThat(bench.store(bench.members.get(0)).get(key)).as("the tombstone is gone").isEmpty();
    bench.network.bringBack(away);
    bench.pass(INTERVAL.multipliedBy(3));
    assertThat(bench.site(away).startOvers).hasSize(1);
    for (MemberId member : bench.members) {
      assertThat(bench.store(member).get(key)).as(member.toString()).isEmpty();
    }
    bench.assertEqual();
  }

  /** Only its deletion has the copies that are compared with those who were there. */
  @Test
  void aCopyThatNobodyElseHadIsDeletedAfterALongAbsence() {
    bench.start();
    bench.pass(INTERVAL.multipliedBy(3));
    Key single = bench.keyOf(c, a, b);
    bench.put(single, bench.live(MOMENT, 1));
    bench.network.cutOff(c);
    bench.putExcept(single, bench.tombstone(Duration.ZERO, 3), Set.of(c));
    bench.pass(OLD.multipliedBy(2));
    bench.network.bringBack(c);
    bench.pass(OLD.multipliedBy(2));
    bench.members.forEach(member ->
        assertThat(bench.store(member).get(single))
            .as("%s, seed %d", member, bench.seed)
            .isEmpty());
    assertThat(bench.site(c).startOvers).isEmpty();
  }
}
