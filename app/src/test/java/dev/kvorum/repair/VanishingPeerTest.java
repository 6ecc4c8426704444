package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whatever message of a pull or of a rebuild is the last one: the next beginning succeeds. */
class VanishingPeerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MESSAGES_MAX = 200;

  private static void differ(RepairHarness harness) {
    for (int i = 0; i < 30; i++) {
      MemberId missing = harness.members.get(i % 3);
      harness.putExcept(Key.of("key " + i), harness.live(MINUTE, 3), Set.of(missing));
      harness.putExcept(Key.of("dead " + i), harness.tombstone(MINUTE, 3), Set.of(missing));
    }
  }

  @Test
  void pullsOutliveTheLossOfAnyMessage() {
    int number = 1;
    boolean reached = true;
    for (; reached && number <= MESSAGES_MAX; number += 3) {
      RepairHarness harness = new RepairHarness(3).start();
      differ(harness);
      harness.network.atMessage(number, () -> {});
      harness.pass(Duration.ofMinutes(3));
      reached = !harness.network.isFatalMessageStillToCome();
      harness.assertEqual();
    }
    assertThat(number).isGreaterThan(MESSAGES_MAX);
  }

  @Test
  void pullsOutliveAMemberThatLeavesAtAnyMoment() {
    for (int number = 1; number <= MESSAGES_MAX; number += 7) {
      RepairHarness harness = new RepairHarness(3).start();
      differ(harness);
      MemberId gone = harness.members.get(number % 3);
      harness.network.atMessage(number, () -> goForAWhile(harness, gone));
      harness.pass(Duration.ofMinutes(3));
      harness.assertEqual();
    }
  }

  @Test
  void aRebuildOutlivesASourceThatFailsAtAnyMoment() {
    for (int number = 1; number <= 40; number++) {
      RepairHarness harness = new RepairHarness(3).start();
      for (int i = 0; i < 200; i++) {
        harness.put(Key.of("key " + i), harness.live(MINUTE, 3));
      }
      MemberId lost = harness.members.get(0);
      MemberId gone = harness.members.get(1 + number % 2);
      harness.kill(lost);
      harness.loseDisk(lost);
      RepairMember again = harness.start(lost);
      harness.network.atMessage(number, () -> goForAWhile(harness, gone));
      harness.pass(MINUTE);
      assertThat(again.votesOnAll()).as("seed %d, message %d", harness.seed, number).isTrue();
      assertThat(harness.store(lost).keys()).as("seed %d", harness.seed).hasSize(200);
    }
  }

  private static void goForAWhile(RepairHarness harness, MemberId gone) {
    harness.network.cutOff(gone);
    harness.loop.schedule(() -> harness.network.bringBack(gone), 15, TimeUnit.SECONDS);
  }
}
