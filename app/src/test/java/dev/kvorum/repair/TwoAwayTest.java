package dev.kvorum.repair;

import static dev.kvorum.repair.RepairBench.AGE_MIN;
import static dev.kvorum.repair.RepairBench.HORIZON;
import static dev.kvorum.repair.RepairBench.INTERVAL;
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

  private final RepairBench bench = new RepairBench(5).start();
  private final MemberId first = bench.members.get(0);
  private final MemberId second = bench.members.get(1);
  private final MemberId other = bench.members.get(2);
  private final Key theirs = bench.keyOf(first, second, other);
  private final Key deleted = bench.keyOf(other, bench.members.get(3), bench.members.get(4));
  private final Versioned acknowledged = bench.live(OLD.multipliedBy(2), 3);

  private void cutOff(MemberId away, Set<MemberId> with) {
    bench.members.stream()
        .filter(member -> !member.equals(away) && !with.contains(member))
        .forEach(member -> bench.network.part(away, member));
  }

  /** What the two alone have acknowledged. */
  private void write() {
    bench.putExcept(theirs, acknowledged, Set.of(other));
  }

  private void healAndLook() {
    bench.network.heal();
    bench.pass(INTERVAL.multipliedBy(5));
    for (MemberId member : List.of(first, second, other)) {
      assertThat(bench.store(member).get(theirs))
          .as("%s, seed %d", member, bench.seed)
          .contains(acknowledged);
    }
    bench.assertEqual();
  }

  @Test
  void twoThatAreAwayTogetherKeepWhatTheyAloneHave() {
    cutOff(first, Set.of(second));
    cutOff(second, Set.of(first));
    write();
    bench.put(deleted, bench.tombstone(OLD.multipliedBy(2), 3));
    bench.pass(HORIZON.plus(OLD));
    assertThat(bench.store(other).get(deleted)).as("the tombstone").isPresent();
    healAndLook();
    assertThat(bench.sites.values()).allMatch(site -> site.startOvers.isEmpty());
  }

  @Test
  void nothingGoesWithoutASecondMemberBeforeTheFirstHasBegunAnew() {
    bench.put(deleted, bench.tombstone(MOMENT, 3));
    bench.pass(INTERVAL.multipliedBy(3));
    cutOff(first, Set.of());
    bench.pass(HORIZON.plus(OLD));
    assertThat(bench.store(other).get(deleted)).as("the tombstone").isEmpty();
    cutOff(second, Set.of());
    write();
    bench.pass(HORIZON.plus(OLD));
    // The first one asks where the others stand, and gets no further.
    for (int other = 2; other < 5; other++) {
      bench.site(other).repair.heard(first);
    }
    bench.put(deleted, bench.tombstone(HORIZON.multipliedBy(3), 3));
    bench.pass(INTERVAL.multipliedBy(5));
    assertThat(bench.store(other).get(deleted)).as("the late one").isPresent();
    healAndLook();
    assertThat(bench.site(first).startOvers).hasSize(1);
    assertThat(bench.site(second).startOvers).isEmpty();
  }
}
