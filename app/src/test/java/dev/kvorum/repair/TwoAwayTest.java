package dev.kvorum.repair;

import static dev.kvorum.repair.RepairHarness.AGE_MIN;
import static dev.kvorum.repair.RepairHarness.HORIZON;
import static dev.kvorum.repair.RepairHarness.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two of the replicas of one key are away, and tombstones wait elsewhere. */
class TwoAwayTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final Duration OLD = AGE_MIN.plus(INTERVAL.multipliedBy(4));

  private final RepairHarness harness = new RepairHarness(5).start();
  private final MemberId first = harness.members.get(0);
  private final MemberId second = harness.members.get(1);
  private final MemberId other = harness.members.get(2);
  private final Key theirs = harness.keyOf(first, second, other);
  private final Key deleted = harness.keyOf(other, harness.members.get(3), harness.members.get(4));
  private final Versioned acknowledged = harness.live(OLD.multipliedBy(2), 3);

  private void cutOff(MemberId away, Set<MemberId> with) {
    harness.members.stream()
        .filter(member -> !member.equals(away) && !with.contains(member))
        .forEach(member -> harness.network.part(away, member));
  }

  /** What the two alone have acknowledged. */
  private void write() {
    harness.putExcept(theirs, acknowledged, Set.of(other));
  }

  private void healAndCompare() {
    harness.network.heal();
    harness.pass(INTERVAL.multipliedBy(5));
    for (MemberId member : List.of(first, second, other)) {
      assertThat(harness.store(member).get(theirs))
          .as("%s, seed %d", member, harness.seed)
          .contains(acknowledged);
    }
    harness.assertEqual();
  }

  @Test
  void twoThatAreAwayTogetherKeepWhatTheyAloneHave() {
    cutOff(first, Set.of(second));
    cutOff(second, Set.of(first));
    write();
    harness.put(deleted, harness.tombstone(OLD.multipliedBy(2), 3));
    harness.pass(HORIZON.plus(OLD));
    assertThat(harness.store(other).get(deleted)).as("the tombstone").isPresent();
    healAndCompare();
    assertThat(harness.sites.values()).allMatch(site -> site.resets.isEmpty());
  }

  @Test
  void removesNothingWithoutASecondMemberBeforeTheFirstHasReset() {
    harness.put(deleted, harness.tombstone(MOMENT, 3));
    harness.pass(INTERVAL.multipliedBy(3));
    cutOff(first, Set.of());
    harness.pass(HORIZON.plus(OLD));
    assertThat(harness.store(other).get(deleted)).as("the tombstone").isEmpty();
    cutOff(second, Set.of());
    write();
    harness.pass(HORIZON.plus(OLD));
    // The first one asks where the others stand, and gets no further.
    for (int other = 2; other < 5; other++) {
      harness.site(other).repair.contacted(first);
    }
    harness.put(deleted, harness.tombstone(HORIZON.multipliedBy(3), 3));
    harness.pass(INTERVAL.multipliedBy(5));
    assertThat(harness.store(other).get(deleted)).as("the late one").isPresent();
    healAndCompare();
    assertThat(harness.site(first).resets).hasSize(1);
    assertThat(harness.site(second).resets).isEmpty();
  }
}
