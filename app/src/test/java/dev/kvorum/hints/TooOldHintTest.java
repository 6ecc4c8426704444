package dev.kvorum.hints;

import static dev.kvorum.hints.HandoffHarness.AWAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.storage.WriteResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a member will never take is not sent for ever. */
class TooOldHintTest {
  private final HandoffHarness harness = new HandoffHarness(1 << 30);

  @Test
  void aHintThatMayHaveBeenDeletedSinceIsDone() {
    harness.keep(AWAY, Duration.ofMinutes(30));
    harness.handoff.start();
    harness.loop.advance(Duration.ofSeconds(1));
    assertThat(harness.sent()).hasSize(1);
    harness.answerAll(new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.TOO_OLD)));
    harness.member.pass(Duration.ofSeconds(5));
    assertThat(harness.hints.of(AWAY)).isEmpty();
    assertThat(harness.sent()).hasSize(1);
    assertThat(harness.member.counted("kvorum.hints.expired")).isEqualTo(1);
    assertThat(harness.member.counted("kvorum.hints.delivered")).isZero();
  }
}
