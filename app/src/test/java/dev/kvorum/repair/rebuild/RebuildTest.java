package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.RepairMember;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** New clusters begin, lost disks are rebuilt. */
class RebuildTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private RepairHarness harness = new RepairHarness(3);

  private Map<Key, Versioned> fill(int records, int copies) {
    Map<Key, Versioned> all = new HashMap<>();
    for (int i = 0; i < records; i++) {
      Key key = Key.of("key " + i);
      Versioned record =
          i % 7 == 0 ? harness.tombstone(MINUTE, copies) : harness.live(MINUTE, copies);
      harness.put(key, record);
      all.put(key, record);
    }
    return all;
  }

  @Test
  void aMemberAloneIsCompleteAtOnce() {
    harness = new RepairHarness(1);
    RepairMember site = harness.start(harness.members.getFirst());
    harness.loop.runReady();
    assertThat(site.votesOnAll()).isTrue();
    assertThat(site.repair.complete()).isDone();
  }

  @Test
  void aNewClusterIsCompleteAsSoonAsAMajorityIsThere() {
    harness = new RepairHarness(5);
    harness.start(harness.members.get(0));
    harness.start(harness.members.get(1));
    harness.pass(MINUTE);
    assertThat(harness.site(0).votesOnAll()).isFalse();
    assertThat(harness.site(0).repair.report().slotsBack()).isZero();
    harness.start(harness.members.get(2));
    harness.pass(SECOND.multipliedBy(3));
    for (int i = 0; i < 3; i++) {
      assertThat(harness.site(i).votesOnAll()).as("m" + i + ", seed " + harness.seed).isTrue();
    }
    harness.start(harness.members.get(3));
    harness.start(harness.members.get(4));
    harness.pass(SECOND.multipliedBy(10));
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .allMatch(RepairMember::votesOnAll);
  }

  @Test
  void oneThatComesLateIsFilledFirst() {
    harness.start(harness.members.get(0));
    harness.start(harness.members.get(1));
    harness.pass(SECOND.multipliedBy(3));
    assertThat(harness.site(1).votesOnAll()).isTrue();
    fill(500, 3);
    harness.loseDisk(harness.members.get(2));
    RepairMember late = harness.start(harness.members.get(2));
    assertThat(late.votesOnAll()).isFalse();
    harness.pass(SECOND.multipliedBy(10));
    assertThat(late.votesOnAll()).isTrue();
    harness.assertEqual();
  }

  @Test
  void aLostDiskIsFilledAndCastsNoVoteBefore() {
    harness.start();
    Map<Key, Versioned> all = fill(2000, 3);
    for (MemberId member : harness.members) {
      harness.kill(member);
      harness.pass(MINUTE);
      harness.loseDisk(member);
      RepairMember again = harness.start(member);
      int votesWithoutRecords = 0;
      for (int step = 0; step < 20_000 && !again.votesOnAll(); step++) {
        harness.loop.runNext();
        boolean all3 = again.repair.report().slotsBack() == Slots.COUNT;
        votesWithoutRecords += all3 && harness.store(member).keys().size() < all.size() ? 1 : 0;
      }
      assertThat(again.votesOnAll()).as("seed " + harness.seed).isTrue();
      assertThat(votesWithoutRecords).isZero();
      all.forEach((key, record) ->
          assertThat(harness.store(member).get(key)).as("seed " + harness.seed).contains(record));
      harness.pass(MINUTE.multipliedBy(2));
    }
    assertThat(harness.site(0).resets).isEmpty();
  }

  @Test
  void aVoteWaitsForEveryMajorityThatMayHoldAWrite() {
    harness.start();
    Key key = Key.of("acknowledged by two");
    Versioned record = harness.live(MINUTE, 3);
    MemberId lost = harness.members.get(0);
    MemberId holder = harness.members.get(1);
    harness.putExcept(key, record, Set.of(harness.members.get(2)));
    harness.kill(lost);
    harness.network.cutOff(holder);
    harness.loseDisk(lost);
    RepairMember again = harness.start(lost);
    harness.pass(MINUTE);
    assertThat(again.votesOnAll()).isFalse();
    assertThat(again.repair.report().slotsBack()).isZero();
    harness.network.bringBack(holder);
    harness.pass(MINUTE);
    assertThat(again.votesOnAll()).isTrue();
    assertThat(harness.store(lost).get(key)).contains(record);
  }

  @Test
  void twoOfFiveLostDisksAreFilled() {
    harness = new RepairHarness(5).start();
    Map<Key, Versioned> all = fill(1000, 3);
    List<MemberId> lost = harness.members.subList(1, 3);
    lost.forEach(harness::kill);
    harness.pass(MINUTE);
    lost.forEach(harness::loseDisk);
    lost.forEach(harness::start);
    harness.pass(MINUTE);
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .allMatch(RepairMember::votesOnAll);
    harness.assertEqual();
    assertThat(harness.keys()).hasSameSizeAs(all.keySet());
  }

  @Test
  void whatASourceOfAnOlderEpochSendsIsNotKept() {
    RepairHarness four = new RepairHarness(4).start();
    MemberId behind = four.members.get(0);
    MemberId lost = four.members.get(2);
    Map<Boolean, List<Key>> byKept =
        IntStream.range(0, 100)
            .mapToObj(i -> Key.of("key " + i))
            .collect(Collectors.partitioningBy(key -> four.replicas(key, 3).contains(lost)));
    byKept
        .values()
        .forEach(keys ->
            keys.forEach(key -> four.store(behind).put(key, four.live(Duration.ofMinutes(2), 3))));
    four.kill(behind);
    four.start(behind, RepairHarness.layoutOf(four.members.subList(0, 3)));
    four.kill(lost);
    four.loseDisk(lost);
    four.start(lost);
    four.pass(RepairHarness.INTERVAL);
    assertThat(four.store(lost).keys()).containsAll(byKept.get(true));
    assertThat(four.store(lost).keys()).doesNotContainAnyElementsOf(byKept.get(false));
  }

  @Test
  void theFillOfOneStoreDoesNotCountForTheNext() {
    harness.start();
    fill(500, 3);
    MemberId lost = harness.members.get(0);
    harness.kill(lost);
    harness.loseDisk(lost);
    RepairMember again = harness.start(lost);
    for (int step = 0; step < 200_000 && again.repair.report().slotsBack() < Slots.COUNT; step++) {
      harness.loop.runNext();
    }
    assertThat(again.votesOnAll()).isFalse();
    // All is back, and the store breaks before it can note that.
    harness.store(lost).reject(RejectReason.STORAGE_FAILED);
    harness.pass(SECOND);
    harness.network.cutOff(lost);
    again.repair.onStoreLost();
    harness.store(lost).reset();
    again.repair.onStoreReplaced();
    harness.loop.runReady();
    harness.store(lost).reject(null);
    harness.pass(MINUTE);
    assertThat(harness.store(lost).mark("complete")).as("seed " + harness.seed).isZero();
    assertThat(again.repair.report().slotsBack()).isZero();
    harness.network.bringBack(lost);
    harness.pass(MINUTE);
    assertThat(again.votesOnAll()).as("seed " + harness.seed).isTrue();
    harness.assertEqual();
  }

  @Test
  void aSourceOfAnOlderEpochIsNotDone() {
    // It goes by a layout in which another one keeps the record.
    RepairHarness four = new RepairHarness(4).start();
    MemberId lost = four.members.get(2);
    Layout without = RepairHarness.layoutOf(2, four.members.subList(0, 3));
    Key gained =
        IntStream.range(0, 1000)
            .mapToObj(i -> Key.of("key " + i))
            .filter(key -> !four.replicas(key, 3).contains(lost))
            .findFirst()
            .orElseThrow();
    List<MemberId> sources = four.members.subList(0, 2);
    sources.forEach(source -> four.store(source).put(gained, four.live(MINUTE, 3)));
    four.kill(four.members.get(3));
    four.kill(lost);
    four.loseDisk(lost);
    RepairMember again = four.start(lost, without);
    four.pass(MINUTE);
    assertThat(again.votesOnAll()).as("seed " + four.seed).isFalse();
    for (MemberId source : sources) {
      four.kill(source);
      four.start(source, without);
    }
    four.pass(MINUTE);
    assertThat(again.votesOnAll()).as("seed " + four.seed).isTrue();
    assertThat(four.store(lost).get(gained)).isPresent();
  }

  @Test
  void restartsAfterAStopInTheMiddle() {
    harness.settings = RepairHarness.settings(200_000);
    harness.start();
    Map<Key, Versioned> all = fill(2000, 3);
    MemberId lost = harness.members.get(0);
    harness.kill(lost);
    harness.loseDisk(lost);
    harness.start(lost);
    harness.pass(SECOND);
    assertThat(harness.store(lost).keys()).isNotEmpty().hasSizeLessThan(all.size());
    harness.kill(lost);
    RepairMember again = harness.start(lost);
    harness.pass(SECOND);
    assertThat(again.votesOnAll()).isFalse();
    harness.pass(MINUTE);
    assertThat(again.votesOnAll()).isTrue();
    harness.assertEqual();
  }

  private Duration timeToRebuild(Duration readsTake) {
    harness = new RepairHarness(3);
    harness.settings = RepairHarness.settings(400_000);
    harness.start();
    fill(2000, 3);
    harness.network.readsTake(readsTake.toNanos());
    harness.loop.scheduleWithFixedDelay(this::readEverywhere, 100, 100, TimeUnit.MILLISECONDS);
    harness.pass(MINUTE);
    MemberId lost = harness.members.get(0);
    harness.kill(lost);
    harness.loseDisk(lost);
    RepairMember again = harness.start(lost);
    Duration taken = Duration.ZERO;
    while (!again.votesOnAll() && taken.compareTo(MINUTE.multipliedBy(10)) < 0) {
      harness.pass(SECOND);
      taken = taken.plus(SECOND);
    }
    return taken;
  }

  private void readEverywhere() {
    for (RepairMember site : harness.sites.values()) {
      MemberId other = harness.members.get(site.id.equals(harness.members.get(1)) ? 2 : 1);
      site.replicas.ask(
          other,
          new ReplicaRequest.Read(Key.of("any"), Detail.VERSION),
          harness.loop.nanoTime() + 1_000_000_000L,
          reply -> {});
    }
  }

  @Test
  void itGivesWayToSlowReads() {
    Duration calm = timeToRebuild(Duration.ofMillis(5));
    Duration busy = timeToRebuild(Duration.ofMillis(50));
    assertThat(busy).isGreaterThan(calm.multipliedBy(8)).isLessThan(MINUTE.multipliedBy(10));
  }
}
