package dev.kvorum.repair;

import static dev.kvorum.repair.HandoffBench.AWAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.storage.Applied;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a member will never take is not sent for ever. */
class TooOldHintTest {
  private final HandoffBench bench = new HandoffBench(1 << 30);

  @Test
  void aHintThatMayHaveBeenDeletedSinceIsDone() {
    bench.keep(AWAY, Duration.ofMinutes(30));
    bench.handoff.start();
    bench.loop.advance(Duration.ofSeconds(1));
    assertThat(bench.sent()).hasSize(1);
    bench.answerAll(new ReplicaReply.Wrote(new Applied.Refused(Refusal.TOO_OLD)));
    bench.pass(Duration.ofSeconds(5));
    assertThat(bench.hints.of(AWAY)).isEmpty();
    assertThat(bench.sent()).hasSize(1);
    assertThat(bench.counted("kvorum.hints.expired")).isEqualTo(1);
    assertThat(bench.counted("kvorum.hints.delivered")).isZero();
  }
}
