package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two of five members rebuild at once. */
class EmptiedSourcesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairHarness harness = new RepairHarness(5).start();

  @Test
  void aCopyFromAMemberThatRebuildsDoesNotCountAsAFullOne() {
    List<MemberId> lost = harness.members.subList(0, 2);
    MemberId holder = harness.members.getLast();
    Key key = Key.of("acknowledged by three");
    Versioned record = harness.live(MINUTE, 5);
    harness.putExcept(key, record, Set.copyOf(harness.members.subList(2, 4)));
    lost.forEach(harness::kill);
    lost.forEach(harness::loseDisk);
    harness.network.cutOff(holder);
    lost.forEach(harness::start);
    harness.pass(MINUTE);
    for (MemberId member : lost) {
      assertThat(harness.site(member).repair.report().slotsBack())
          .as("slots of %s, seed %d", member, harness.seed)
          .isZero();
    }
    harness.network.bringBack(holder);
    harness.pass(MINUTE);
    for (MemberId member : lost) {
      assertThat(harness.site(member).votesOnAll()).as("seed %d", harness.seed).isTrue();
      assertThat(harness.store(member).get(key)).contains(record);
    }
  }
}
