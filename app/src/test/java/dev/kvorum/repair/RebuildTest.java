package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.Slots;
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

/** New clusters begin, lost disks are filled again. */
class RebuildTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private RepairBench bench = new RepairBench(3);

  private Map<Key, Versioned> fill(int records, int copies) {
    Map<Key, Versioned> all = new HashMap<>();
    for (int i = 0; i < records; i++) {
      Key key = Key.of("key " + i);
      Versioned record = i % 7 == 0 ? bench.tombstone(MINUTE, copies) : bench.live(MINUTE, copies);
      bench.put(key, record);
      all.put(key, record);
    }
    return all;
  }

  @Test
  void aMemberAloneIsWholeAtOnce() {
    bench = new RepairBench(1);
    Site site = bench.start(bench.members.getFirst());
    bench.loop.runReady();
    assertThat(site.votesOnAll()).isTrue();
    assertThat(site.repair.whole()).isDone();
  }

  @Test
  void aNewClusterIsWholeAsSoonAsAMajorityIsThere() {
    bench = new RepairBench(5);
    bench.start(bench.members.get(0));
    bench.start(bench.members.get(1));
    bench.pass(MINUTE);
    assertThat(bench.site(0).votesOnAll()).isFalse();
    assertThat(bench.site(0).repair.report().slotsBack()).isZero();
    bench.start(bench.members.get(2));
    bench.pass(SECOND.multipliedBy(3));
    for (int i = 0; i < 3; i++) {
      assertThat(bench.site(i).votesOnAll()).as("m" + i + ", seed " + bench.seed).isTrue();
    }
    bench.start(bench.members.get(3));
    bench.start(bench.members.get(4));
    bench.pass(SECOND.multipliedBy(10));
    assertThat(bench.sites.values()).as("seed " + bench.seed).allMatch(Site::votesOnAll);
  }

  @Test
  void oneThatComesLateIsFilledFirst() {
    bench.start(bench.members.get(0));
    bench.start(bench.members.get(1));
    bench.pass(SECOND.multipliedBy(3));
    assertThat(bench.site(1).votesOnAll()).isTrue();
    fill(500, 3);
    bench.loseDisk(bench.members.get(2));
    Site late = bench.start(bench.members.get(2));
    assertThat(late.votesOnAll()).isFalse();
    bench.pass(SECOND.multipliedBy(10));
    assertThat(late.votesOnAll()).isTrue();
    bench.assertEqual();
  }

  @Test
  void aLostDiskIsFilledAndCastsNoVoteBefore() {
    bench.start();
    Map<Key, Versioned> all = fill(2000, 3);
    for (MemberId member : bench.members) {
      bench.kill(member);
      bench.pass(MINUTE);
      bench.loseDisk(member);
      Site again = bench.start(member);
      int votesWithoutRecords = 0;
      for (int step = 0; step < 20_000 && !again.votesOnAll(); step++) {
        bench.loop.runNext();
        boolean all3 = again.repair.report().slotsBack() == Slots.COUNT;
        votesWithoutRecords += all3 && bench.store(member).keys().size() < all.size() ? 1 : 0;
      }
      assertThat(again.votesOnAll()).as("seed " + bench.seed).isTrue();
      assertThat(votesWithoutRecords).isZero();
      all.forEach((key, record) ->
          assertThat(bench.store(member).get(key)).as("seed " + bench.seed).contains(record));
      bench.pass(MINUTE.multipliedBy(2));
    }
    assertThat(bench.site(0).startOvers).isEmpty();
  }

  @Test
  void aVoteWaitsForEveryMajorityThatMayHoldAWrite() {
    bench.start();
    Key key = Key.of("acknowledged by two");
    Versioned record = bench.live(MINUTE, 3);
    MemberId lost = bench.members.get(0);
    MemberId holder = bench.members.get(1);
    bench.putExcept(key, record, Set.of(bench.members.get(2)));
    bench.kill(lost);
    bench.network.cutOff(holder);
    bench.loseDisk(lost);
    Site again = bench.start(lost);
    bench.pass(MINUTE);
    assertThat(again.votesOnAll()).isFalse();
    assertThat(again.repair.report().slotsBack()).isZero();
    bench.network.bringBack(holder);
    bench.pass(MINUTE);
    assertThat(again.votesOnAll()).isTrue();
    assertThat(bench.store(lost).get(key)).contains(record);
  }

  @Test
  void twoOfFiveLostDisksAreFilled() {
    bench = new RepairBench(5).start();
    Map<Key, Versioned> all = fill(1000, 3);
    List<MemberId> lost = bench.members.subList(1, 3);
    lost.forEach(bench::kill);
    bench.pass(MINUTE);
    lost.forEach(bench::loseDisk);
    lost.forEach(bench::start);
    bench.pass(MINUTE);
    assertThat(bench.sites.values()).as("seed " + bench.seed).allMatch(Site::votesOnAll);
    bench.assertEqual();
    assertThat(bench.keys()).hasSameSizeAs(all.keySet());
  }

  @Test
  void whatASourceOfAnOlderEpochSendsIsNotKept() {
    RepairBench four = new RepairBench(4).start();
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
    four.start(behind, RepairBench.layoutOf(four.members.subList(0, 3)));
    four.kill(lost);
    four.loseDisk(lost);
    four.start(lost);
    four.pass(RepairBench.INTERVAL);
    assertThat(four.store(lost).keys()).containsAll(byKept.get(true));
    assertThat(four.store(lost).keys()).doesNotContainAnyElementsOf(byKept.get(false));
  }

  @Test
  void whatAStoreWasFilledWithSaysNothingOfTheNextOne() {
    bench.start();
    fill(500, 3);
    MemberId lost = bench.members.get(0);
    bench.kill(lost);
    bench.loseDisk(lost);
    Site again = bench.start(lost);
    for (int step = 0; step < 200_000 && again.repair.report().slotsBack() < Slots.COUNT; step++) {
      bench.loop.runNext();
    }
    assertThat(again.votesOnAll()).isFalse();
    // All is back, and the store breaks before it can note that.
    bench.store(lost).refuse(Refusal.STORAGE_FAILED);
    bench.pass(SECOND);
    bench.network.cutOff(lost);
    again.repair.onStoreLost();
    bench.store(lost).startOver();
    again.repair.onStoreReplaced();
    bench.loop.runReady();
    bench.store(lost).refuse(null);
    bench.pass(MINUTE);
    assertThat(bench.store(lost).mark("whole")).as("seed " + bench.seed).isZero();
    assertThat(again.repair.report().slotsBack()).isZero();
    bench.network.bringBack(lost);
    bench.pass(MINUTE);
    assertThat(again.votesOnAll()).as("seed " + bench.seed).isTrue();
    bench.assertEqual();
  }

  @Test
  void aSourceOfAnOlderEpochIsNotDone() {
    // It goes by a layout in which another one keeps the record.
    RepairBench four = new RepairBench(4).start();
    MemberId lost = four.members.get(2);
    Layout without = RepairBench.layoutOf(2, four.members.subList(0, 3));
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
    Site again = four.start(lost, without);
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
  void stoppedInTheMiddleItBeginsAnew() {
    bench.settings = RepairBench.settings(200_000);
    bench.start();
    Map<Key, Versioned> all = fill(2000, 3);
    MemberId lost = bench.members.get(0);
    bench.kill(lost);
    bench.loseDisk(lost);
    bench.start(lost);
    bench.pass(SECOND);
    assertThat(bench.store(lost).keys()).isNotEmpty().hasSizeLessThan(all.size());
    bench.kill(lost);
    Site again = bench.start(lost);
    bench.pass(SECOND);
    assertThat(again.votesOnAll()).isFalse();
    bench.pass(MINUTE);
    assertThat(again.votesOnAll()).isTrue();
    bench.assertEqual();
  }

  private Duration timeToRebuild(Duration readsTake) {
    bench = new RepairBench(3);
    bench.settings = RepairBench.settings(400_000);
    bench.start();
    fill(2000, 3);
    bench.network.readsTake(readsTake.toNanos());
    bench.loop.scheduleWithFixedDelay(this::readEverywhere, 100, 100, TimeUnit.MILLISECONDS);
    bench.pass(MINUTE);
    MemberId lost = bench.members.get(0);
    bench.kill(lost);
    bench.loseDisk(lost);
    Site again = bench.start(lost);
    Duration taken = Duration.ZERO;
    while (!again.votesOnAll() && taken.compareTo(MINUTE.multipliedBy(10)) < 0) {
      bench.pass(SECOND);
      taken = taken.plus(SECOND);
    }
    return taken;
  }

  private void readEverywhere() {
    for (Site site : bench.sites.values()) {
      MemberId other = bench.members.get(site.id.equals(bench.members.get(1)) ? 2 : 1);
      site.replicas.ask(
          other,
          new ReplicaRequest.Read(Key.of("any"), Detail.VERSION),
          bench.loop.nanoTime() + 1_000_000_000L,
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
