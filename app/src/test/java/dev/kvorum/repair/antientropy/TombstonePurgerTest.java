package dev.kvorum.repair.antientropy;

import static dev.kvorum.repair.RepairHarness.AGE_MIN;
import static dev.kvorum.repair.RepairHarness.HORIZON;
import static dev.kvorum.repair.RepairHarness.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.RepairMember;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tombstones end, and nothing that they deleted comes back. */
class TombstonePurgerTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final Duration OLD = AGE_MIN.plus(INTERVAL.multipliedBy(4));

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId a = harness.members.get(0);
  private final MemberId b = harness.members.get(1);
  private final MemberId c = harness.members.get(2);
  private final Key key = Key.of("deleted");

  private List<ReplicaReply> write(MemberId member, Versioned record) {
    List<ReplicaReply> replies = new ArrayList<>();
    RepairMember site = harness.site(member);
    long deadline = harness.loop.nanoTime() + 1_000_000_000L;
    site.replicas.ask(
        member, new ReplicaRequest.Write(new Mutation(key, record)), deadline, replies::add);
    return replies;
  }

  private boolean isGone(MemberId member) {
    return harness.store(member).get(key).isEmpty();
  }

  @Test
  void aTombstoneIsPurgedOnceItIsOldAndEverybodyHasComparedItSince() {
    harness.start();
    harness.put(key, harness.live(Duration.ofMinutes(2), 3));
    harness.put(key, harness.tombstone(MOMENT, 3));
    harness.pass(AGE_MIN);
    assertThat(isGone(a)).isFalse();
    harness.pass(INTERVAL.multipliedBy(4));
    harness.members.forEach(
        member -> assertThat(isGone(member)).as("seed " + harness.seed).isTrue());
    assertThat(harness.site(a).counted("kvorum.repair.tombstones.purged")).isEqualTo(1);
    assertThat(harness.sites.values()).allMatch(site -> site.resets.isEmpty());
    assertThat(harness.site(a).counted("kvorum.repair.sessions", "outcome", "failed")).isZero();
  }

  @Test
  void aLateCopyOfWhatItDeletedIsRejected() {
    harness.start();
    Versioned deleted = harness.live(Duration.ofMinutes(2), 3);
    harness.put(key, harness.tombstone(MOMENT, 3));
    harness.pass(OLD);
    assertThat(isGone(a)).isTrue();
    assertThat(write(a, deleted))
        .containsExactly(
            new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.TOO_OLD)));
    assertThat(isGone(a)).isTrue();
  }

  @Test
  void itStaysWhileOneMemberIsAway() {
    harness.start();
    harness.put(key, harness.live(Duration.ofMinutes(2), 3));
    harness.network.cutOff(c);
    harness.putExcept(key, harness.tombstone(MOMENT, 3), Set.of(c));
    harness.pass(OLD.multipliedBy(2));
    assertThat(isGone(a)).isFalse();
    assertThat(isGone(b)).isFalse();
    harness.network.bringBack(c);
    harness.pass(OLD);
    harness.members.forEach(
        member -> assertThat(isGone(member)).as("seed " + harness.seed).isTrue());
    assertThat(harness.site(c).resets).isEmpty();
  }

  @Test
  void oneThatArrivesLateWaitsForAllToCompareAgain() {
    harness.start();
    harness.put(key, harness.live(OLD.multipliedBy(3), 3));
    // Only one of three ever received the deletion, and it was unreachable for long.
    Versioned tombstone = harness.tombstone(OLD.multipliedBy(2), 3);
    harness.pass(INTERVAL.multipliedBy(2));
    harness.network.part(a, c);
    harness.network.part(b, c);
    harness.pass(MOMENT);
    assertThat(write(a, tombstone)).hasSize(1);
    harness.pass(INTERVAL.multipliedBy(4));
    assertThat(harness.store(a).get(key)).contains(tombstone);
    assertThat(harness.store(b).get(key)).contains(tombstone);
    harness.network.heal();
    harness.pass(INTERVAL.multipliedBy(4));
    harness.members.forEach(member ->
        assertThat(harness.store(member).get(key).filter(record -> !record.tombstone()))
            .as("seed " + harness.seed)
            .isEmpty());
  }

  @Test
  void aMemberThatWasAwayForTooLongStartsOver() {
    harness.start();
    harness.put(key, harness.live(Duration.ofMinutes(2), 3));
    Key other = Key.of("kept");
    harness.put(other, harness.live(Duration.ofMinutes(2), 3));
    harness.pass(INTERVAL.multipliedBy(3));
    harness.kill(c);
    harness.putExcept(key, harness.tombstone(MOMENT, 3), Set.of(c));
    harness.pass(HORIZON.minus(INTERVAL.multipliedBy(3)));
    assertThat(isGone(a)).as("within the horizon").isFalse();
    harness.pass(INTERVAL.multipliedBy(8));
    assertThat(isGone(a)).isTrue();
    assertThat(isGone(c)).isFalse();
    RepairMember back = harness.start(c);
    harness.loop.runReady();
    assertThat(back.votesOnAll()).isFalse();
    harness.pass(INTERVAL);
    assertThat(back.resets).hasSize(1);
    assertThat(back.votesOnAll()).as("seed " + harness.seed).isTrue();
    harness.pass(OLD);
    harness.members.forEach(
        member -> assertThat(isGone(member)).as("seed " + harness.seed).isTrue());
    assertThat(harness.store(c).get(other)).isPresent();
    assertThat(back.resets).hasSize(1);
  }

  @Test
  void aMinorityNeverRemovesTombstonesOnItsOwn() {
    harness.start();
    harness.pass(INTERVAL.multipliedBy(2));
    harness.network.part(a, b);
    harness.network.part(a, c);
    harness.store(a).put(key, harness.tombstone(MOMENT, 3));
    harness.pass(HORIZON.plus(OLD));
    assertThat(isGone(a)).isFalse();
    harness.network.heal();
    harness.pass(INTERVAL.multipliedBy(2));
    assertThat(harness.sites.values()).allMatch(site -> site.resets.isEmpty());
  }

  /** Stopped in the middle of a pull, for a time in which what it fetched is deleted elsewhere. */
  @Test
  void aStoppedPullerBringsNothingBack() {
    for (int messages = 1; messages < 30; messages += 3) {
      RepairHarness each = new RepairHarness(3).start();
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
      each.site(a).loop.resume();
      each.pass(OLD);
      each.members.forEach(member ->
          assertThat(each.store(member).get(key).filter(record -> !record.tombstone()))
              .as("seed %d, message %d", each.seed, until)
              .isEmpty());
    }
  }

  @Test
  void whatWasCopiedBeforeItsTombstoneCameDoesNotComeBackWhenThatIsGone() {
    harness.start();
    MemberId lost = harness.members.get(0);
    MemberId behind = harness.members.get(1);
    MemberId ahead = harness.members.get(2);
    Key key = Key.of("k");
    harness.put(key, harness.live(AGE_MIN.multipliedBy(3), 3));
    harness.kill(lost);
    harness.loseDisk(lost);
    harness.network.part(lost, ahead);
    harness.network.part(behind, ahead);
    harness.putExcept(key, harness.tombstone(AGE_MIN.multipliedBy(2), 3), Set.of(lost, behind));
    RepairMember rebuilding = harness.start(lost);
    harness.pass(INTERVAL);
    assertThat(harness.store(lost).get(key)).as("copied").isPresent();
    assertThat(rebuilding.votesOnAll()).isFalse();
    harness.network.heal();
    harness.network.cutOff(lost);
    harness.pass(HORIZON.plus(OLD));
    assertThat(harness.store(behind).get(key)).as("the tombstone is gone").isEmpty();
    assertThat(harness.store(ahead).get(key)).isEmpty();
    harness.network.bringBack(lost);
    harness.pass(INTERVAL.multipliedBy(3));
    assertThat(rebuilding.resets).hasSize(1);
    assertThat(rebuilding.votesOnAll()).isTrue();
    assertThat(harness.store(lost).get(key)).isEmpty();
    assertThat(harness.store(behind).get(key)).isEmpty();
    harness.assertEqual();
  }

  @Test
  void aTombstoneThatCameLateAndWentWithoutAMemberIsNotForgottenToIt() {
    harness.start();
    MemberId away = harness.members.get(2);
    Key key = Key.of("k");
    harness.put(key, harness.live(AGE_MIN.multipliedBy(3), 3));
    harness.pass(INTERVAL.multipliedBy(3));
    harness.network.cutOff(away);
    // Older than what the member is known to have, and which it has not.
    harness.putExcept(key, harness.tombstone(AGE_MIN.dividedBy(2), 3), Set.of(away));
    harness.pass(HORIZON.plus(OLD));
    assertThat(harness.store(harness.members.get(0)).get(key))
        .as("the tombstone is gone")
        .isEmpty();
    harness.network.bringBack(away);
    harness.pass(INTERVAL.multipliedBy(3));
    assertThat(harness.site(away).resets).hasSize(1);
    for (MemberId member : harness.members) {
      assertThat(harness.store(member).get(key)).as(member.toString()).isEmpty();
    }
    harness.assertEqual();
  }

  /** Only its deletion has the copies that are compared with those who were there. */
  @Test
  void aCopyThatNobodyElseHadIsDeletedAfterALongAbsence() {
    harness.start();
    harness.pass(INTERVAL.multipliedBy(3));
    Key single = harness.keyOf(c, a, b);
    harness.put(single, harness.live(MOMENT, 1));
    harness.network.cutOff(c);
    harness.putExcept(single, harness.tombstone(Duration.ZERO, 3), Set.of(c));
    harness.pass(OLD.multipliedBy(2));
    harness.network.bringBack(c);
    harness.pass(OLD.multipliedBy(2));
    harness.members.forEach(member ->
        assertThat(harness.store(member).get(single))
            .as("%s, seed %d", member, harness.seed)
            .isEmpty());
    assertThat(harness.site(c).resets).isEmpty();
  }

  /** Its disk may be lost, and the member that is away may have the last copies (seed 20003598). */
  @Test
  void nobodyIsLeftBehindWhileAnotherMemberDoesNotReply() {
    harness.start();
    harness.put(key, harness.live(Duration.ofMinutes(2), 3));
    harness.put(key, harness.tombstone(MOMENT, 3));
    harness.pass(INTERVAL.multipliedBy(4));
    harness.network.cutOff(c);
    harness.pass(HORIZON.minus(INTERVAL.multipliedBy(5)));
    harness.network.cutOff(b);
    harness.pass(INTERVAL.multipliedBy(20));
    assertThat(isGone(a)).as("the tombstone, seed %d", harness.seed).isFalse();
    harness.network.bringBack(b);
    harness.pass(INTERVAL.multipliedBy(20));
    assertThat(isGone(a)).as("the tombstone, seed %d", harness.seed).isTrue();
  }

  /** The scan for the very session that fetches what the tombstone deleted. */
  @Test
  void aPulledMemberCountsFromItsFirstReplyOn() {
    harness.start();
    harness.put(key, harness.live(AGE_MIN.multipliedBy(3), 3));
    harness.pass(INTERVAL.multipliedBy(3));
    harness.network.cutOff(c);
    // Not when all are compared: the next session is with the member that is back.
    harness.pass(HORIZON.plus(OLD).plus(MOMENT.multipliedBy(20)));
    harness.putExcept(key, harness.tombstone(AGE_MIN.multipliedBy(2), 3), Set.of(c));
    harness.network.bringBack(c);
    harness.pass(INTERVAL.multipliedBy(3));
    harness.members.forEach(member ->
        assertThat(harness.store(member).get(key).filter(record -> !record.tombstone()))
            .as("%s, seed %d", member, harness.seed)
            .isEmpty());
    assertThat(harness.site(c).resets).isEmpty();
  }
}
