package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.RepairMember;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members without data do not begin a cluster that was founded before. */
class LostDisksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairHarness harness = new RepairHarness(3);

  private Map<Key, Versioned> fill() {
    Map<Key, Versioned> all = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      Versioned record = harness.live(MINUTE, 3);
      harness.put(Key.of("key " + i), record);
      all.put(Key.of("key " + i), record);
    }
    return all;
  }

  @Test
  void blankMembersOfAFoundedClusterWaitForOneThatHasData() {
    harness.start();
    harness.founded = true;
    Map<Key, Versioned> all = fill();
    harness.members.forEach(harness::kill);
    harness.loseDisk(harness.members.get(0));
    harness.loseDisk(harness.members.get(1));
    harness.start(harness.members.get(0));
    harness.start(harness.members.get(1));
    harness.pass(MINUTE.multipliedBy(5));
    assertThat(harness.site(0).repair.report().slotsBack()).as("seed " + harness.seed).isZero();
    assertThat(harness.site(1).votesOnAll()).isFalse();
    harness.start(harness.members.get(2));
    assertThat(harness.site(2).repair.report().blank()).as("it has data").isFalse();
    harness.pass(MINUTE);
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .allMatch(RepairMember::votesOnAll);
    all.forEach((key, record) ->
        assertThat(harness.store(0).get(key)).as("seed " + harness.seed).contains(record));
  }

  @Test
  void emptyMembersFoundAClusterOnceAPersonAcceptsTheLoss() {
    harness.founded = true;
    harness.members.forEach(harness::start);
    harness.pass(MINUTE);
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .noneMatch(RepairMember::votesOnAll);
    assertThat(harness.sites.values())
        .as("reported, seed " + harness.seed)
        .allMatch(site -> site.repair.report().blank());
    harness.founding.acceptLostDisks();
    harness.pass(MINUTE);
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .noneMatch(site -> site.repair.report().blank());
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .allMatch(RepairMember::votesOnAll);
  }

  @Test
  void membersWithoutDataBehindTheFirstEpochHaveLostIt() {
    Layout later = RepairHarness.layoutOf(2, harness.members);
    harness.members.forEach(member -> harness.start(member, later));
    harness.pass(MINUTE);
    assertThat(harness.sites.values())
        .as("seed " + harness.seed)
        .noneMatch(RepairMember::votesOnAll);
  }
}
