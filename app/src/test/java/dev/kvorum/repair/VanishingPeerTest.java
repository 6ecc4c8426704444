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

  private static void differ(RepairBench bench) {
    for (int i = 0; i < 30; i++) {
      MemberId missing = bench.members.get(i % 3);
      bench.putExcept(Key.of("key " + i), bench.live(MINUTE, 3), Set.of(missing));
      bench.putExcept(Key.of("dead " + i), bench.tombstone(MINUTE, 3), Set.of(missing));
    }
  }

  @Test
  void pullsOutliveTheLossOfAnyMessage() {
    int number = 1;
    boolean reached = true;
    for (; reached && number <= MESSAGES_MAX; number += 3) {
      RepairBench bench = new RepairBench(3).start();
      differ(bench);
      bench.network.atMessage(number, () -> {});
      bench.pass(Duration.ofMinutes(3));
      reached = !bench.network.isFatalMessageStillToCome();
      bench.assertEqual();
    }
    assertThat(number).isGreaterThan(MESSAGES_MAX);
  }

  @Test
  void pullsOutliveAMemberThatGoesAwayAtAnyMoment() {
    for (int number = 1; number <= MESSAGES_MAX; number += 7) {
      RepairBench bench = new RepairBench(3).start();
      differ(bench);
      MemberId gone = bench.members.get(number % 3);
      bench.network.atMessage(number, () -> goForAWhile(bench, gone));
      bench.pass(Duration.ofMinutes(3));
      bench.assertEqual();
    }
  }

  @Test
  void aRebuildOutlivesASourceThatGoesAwayAtAnyMoment() {
    for (int number = 1; number <= 40; number++) {
      RepairBench bench = new RepairBench(3).start();
      for (int i = 0; i < 200; i++) {
        bench.put(Key.of("key " + i), bench.live(MINUTE, 3));
      }
      MemberId lost = bench.members.get(0);
      MemberId gone = bench.members.get(1 + number % 2);
      bench.kill(lost);
      bench.loseDisk(lost);
      Site again = bench.start(lost);
      bench.network.atMessage(number, () -> goForAWhile(bench, gone));
      bench.pass(MINUTE);
      assertThat(again.votesOnAll()).as("seed %d, message %d", bench.seed, number).isTrue();
      assertThat(bench.store(lost).keys()).as("seed %d", bench.seed).hasSize(200);
    }
  }

  private static void goForAWhile(RepairBench bench, MemberId gone) {
    bench.network.cutOff(gone);
    bench.loop.schedule(() -> bench.network.bringBack(gone), 15, TimeUnit.SECONDS);
  }
}
