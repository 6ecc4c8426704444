package dev.kvorum.hints;

import static dev.kvorum.hints.HandoffHarness.SELF;
import static dev.kvorum.hints.HandoffHarness.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintPullTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");

  private final HandoffHarness harness = new HandoffHarness(1 << 30);
  private int done;

  private void pull(Duration pageTimeout, Duration deadline, MemberId... peers) {
    new HintPull(
            harness.member.replicas,
            pageTimeout.toNanos(),
            harness.loop.nanoTime() + deadline.toNanos(),
            harness.loop::nanoTime,
            () -> done++)
        .start(List.of(peers));
  }

  private void pull(MemberId... peers) {
    pull(Duration.ofSeconds(1), Duration.ofSeconds(30), peers);
  }

  private Ask ask(MemberId peer) {
    return harness.transport.only(peer);
  }

  @Test
  void isDoneAtOnceWithoutPeers() {
    pull();
    assertThat(done).isEqualTo(1);
  }

  @Test
  void asksEachPeerForItsOwnHintsUntilNothingRemains() {
    pull(A, B);
    assertThat(ask(A).request()).isEqualTo(new ReplicaRequest.PullHints(SELF));
    ask(A).reply(new ReplicaReply.HintsDelivered(3, 4));
    ask(A).reply(new ReplicaReply.HintsDelivered(3, 1));
    ask(B).reply(new ReplicaReply.HintsDelivered(0, 0));
    assertThat(done).isZero();
    ask(A).reply(new ReplicaReply.HintsDelivered(1, 0));
    assertThat(done).isEqualTo(1);
    assertThat(harness.transport.sent(A)).hasSize(3);
    assertThat(harness.transport.sent(B)).hasSize(1);
  }

  @Test
  void peersThatAnswerInlineAreDoneOnce() {
    harness.transport.answerInline(A, request -> UNREACHABLE);
    harness.transport.answerInline(B, request -> new ReplicaReply.HintsDelivered(0, 0));
    pull(A, B);
    assertThat(done).isEqualTo(1);
  }

  @Test
  void givesUpOnAPeerThatMakesNoProgress() {
    pull(A);
    ask(A).reply(new ReplicaReply.HintsDelivered(0, 5));
    assertThat(done).isEqualTo(1);
  }

  @Test
  void givesUpOnAPeerThatDoesNotAnswerInTime() {
    pull(A);
    harness.member.pass(Duration.ofMillis(990));
    assertThat(done).isZero();
    harness.member.pass(Duration.ofMillis(20));
    assertThat(done).isEqualTo(1);
  }

  @Test
  void endsAtItsDeadlineThoughHintsRemain() {
    pull(Duration.ofSeconds(1), Duration.ofMillis(1500), A);
    harness.member.pass(Duration.ofMillis(900));
    ask(A).reply(new ReplicaReply.HintsDelivered(1, 10));
    assertThat(ask(A).timeoutMillis()).isEqualTo(600);
    harness.member.pass(Duration.ofMillis(590));
    assertThat(done).isZero();
    harness.member.pass(Duration.ofMillis(20));
    assertThat(done).isEqualTo(1);
  }

  @Test
  void asksNobodyAnyMoreOnceItsDeadlineIsOver() {
    pull(Duration.ofSeconds(1), Duration.ofMillis(500), A);
    harness.loop.advance(Duration.ofMillis(500));
    ask(A).reply(new ReplicaReply.HintsDelivered(1, 10));
    assertThat(harness.transport.sent(A)).hasSize(1);
    assertThat(done).isEqualTo(1);
  }

  @Test
  void aDeadlineBeyondTheOverflowOfTheMonotoneClockIsLateAndNotOver() {
    pull(Duration.ofSeconds(1), Duration.ofSeconds(30), A);
    harness.loop.runReady();
    assertThat(ask(A).timeoutMillis()).isEqualTo(1000);
  }
}
