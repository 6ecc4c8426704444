package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members without data do not begin a cluster that was founded before. */
class LostDisksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairBench bench = new RepairBench(3);

  private Map<Key, Versioned> fill() {
    Map<Key, Versioned> all = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      Versioned record = bench.live(MINUTE, 3);
      bench.put(Key.of("key " + i), record);
      all.put(Key.of("key " + i), record);
    }
    return all;
  }

  @Test
  void blankMembersOfAFoundedClusterWaitForOneThatHasData() {
    bench.start();
    bench.founded = true;
    Map<Key, Versioned> all = fill();
    bench.members.forEach(bench::kill);
    bench.loseDisk(bench.members.get(0));
    bench.loseDisk(bench.members.get(1));
    bench.start(bench.members.get(0));
    bench.start(bench.members.get(1));
    bench.pass(MINUTE.multipliedBy(5));
    assertThat(bench.site(0).repair.report().slotsBack()).as("seed " + bench.seed).isZero();
    assertThat(bench.site(1).votesOnAll()).isFalse();
    bench.start(bench.members.get(2));
    bench.pass(MINUTE);
    assertThat(bench.sites.values()).as("seed " + bench.seed).allMatch(Site::votesOnAll);
    all.forEach((key, record) ->
        assertThat(bench.store(0).get(key)).as("seed " + bench.seed).contains(record));
  }

  @Test
  void blankMembersBeginAnewOnceAPersonAcceptsTheLoss() {
    bench.founded = true;
    bench.members.forEach(bench::start);
    bench.pass(MINUTE);
    assertThat(bench.sites.values()).as("seed " + bench.seed).noneMatch(Site::votesOnAll);
    bench.founding.acceptLostDisks();
    bench.pass(MINUTE);
    assertThat(bench.sites.values()).as("seed " + bench.seed).allMatch(Site::votesOnAll);
  }

  @Test
  void membersWithoutDataBehindTheFirstEpochHaveLostIt() {
    Layout later = RepairBench.layoutOf(2, bench.members);
    bench.members.forEach(member -> bench.start(member, later));
    bench.pass(MINUTE);
    assertThat(bench.sites.values()).as("seed " + bench.seed).noneMatch(Site::votesOnAll);
  }
}
