package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When acknowledgements count of a member that lost the versions it had acknowledged. */
class WriteFloorTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final Key KEY = Key.of("written below what was forgotten");

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId lost = harness.members.get(0);
  private final MemberId witness = harness.members.get(1);
  private final MemberId third = harness.members.get(2);

  @BeforeEach
  void loseADiskThatWillTakeLongToFill() {
    harness.settings = RepairHarness.settings(2_000);
    harness.start();
    for (int i = 0; i < 1000; i++) {
      harness.put(Key.of("key " + i), harness.live(MINUTE, 3));
    }
    harness.kill(lost);
    harness.loseDisk(lost);
  }

  private WriteResult write(Version version) {
    Mutation mutation =
        new Mutation(KEY, Versioned.live(version, Versioned.NEVER, 3, new byte[10]));
    List<ReplicaReply> replies = new ArrayList<>();
    harness
        .site(lost)
        .replicas
        .ask(lost, new ReplicaRequest.Write(mutation), Long.MAX_VALUE, replies::add);
    harness.pass(Duration.ofMillis(10));
    assertThat(replies).as("seed " + harness.seed).hasSize(1);
    return ((ReplicaReply.WriteReply) replies.getFirst()).applied();
  }

  @Test
  void acknowledgesNothingUntilAllHaveSpokenThatMayKnowMore() {
    harness.network.cutOff(third);
    harness.start(lost);
    harness.pass(TWO_SECONDS);
    assertThat(write(harness.version(Duration.ZERO)))
        .isEqualTo(new WriteResult.Rejected(RejectReason.REBUILDING));
    // What is stored supersedes this one, and may itself be older than what was forgotten.
    assertThat(write(harness.version(Duration.ofMillis(20))))
        .isEqualTo(new WriteResult.Rejected(RejectReason.REBUILDING));
    harness.network.bringBack(third);
    harness.pass(TWO_SECONDS);
    assertThat(harness.site(lost).votesOnAll()).isFalse();
    assertThat(write(harness.version(Duration.ZERO))).isEqualTo(WriteResult.Stored.STORED);
  }

  @Test
  void answersThatAWriteIsSupersededWhichIsBelowWhatItMayHaveMet() {
    Version met = harness.version(Duration.ofMillis(-400));
    assertThat(harness.site(witness).clock.observe(met)).isTrue();
    harness.start(lost);
    harness.pass(Duration.ofMillis(300));
    assertThat(harness.site(lost).votesOnAll()).isFalse();
    WriteResult below = write(harness.version(Duration.ofMillis(20)));
    assertThat(below).isInstanceOf(WriteResult.Superseded.class);
    Version floor = ((WriteResult.Superseded) below).by();
    assertThat(floor.stamp()).isGreaterThanOrEqualTo(met.stamp());
    Version above = new Version(floor.stamp() + 1, 0);
    assertThat(write(above)).isEqualTo(WriteResult.Stored.STORED);
    assertThat(write(floor)).isEqualTo(new WriteResult.Superseded(above));
  }

  @Test
  void theFloorIsAboveWhatAPeerHasStoredThoughItsClockIsBehindThat() {
    Versioned stored = harness.live(Duration.ofMillis(-400), 3);
    harness.store(witness).put(KEY, stored);
    harness.start(lost);
    harness.pass(Duration.ofMillis(300));
    WriteResult below = write(harness.version(Duration.ofMillis(20)));
    assertThat(below).isInstanceOf(WriteResult.Superseded.class);
    assertThat(((WriteResult.Superseded) below).by().stamp())
        .isGreaterThanOrEqualTo(stored.version().stamp());
  }

  /** Above such a floor a coordinator could give no version for a day. */
  @Test
  void aPeerWithAStampFromTheFutureSetsNoFloor() {
    harness.store(witness).put(KEY, harness.live(Duration.ofDays(-1), 3));
    harness.start(lost);
    harness.pass(TWO_SECONDS);
    assertThat(harness.site(lost).votesOnAll()).isFalse();
    assertThat(write(harness.version(Duration.ZERO)))
        .isEqualTo(new WriteResult.Rejected(RejectReason.REBUILDING));
  }

  @Test
  void whatItDoesNotAcknowledgeIsStoredAllTheSame() {
    Version met = harness.version(Duration.ofMillis(-400));
    assertThat(harness.site(witness).clock.observe(met)).isTrue();
    harness.start(lost);
    harness.pass(Duration.ofMillis(300));
    Version version = harness.version(Duration.ofMillis(20));
    assertThat(write(version)).isInstanceOf(WriteResult.Superseded.class);
    assertThat(harness.store(lost).get(KEY).orElseThrow().version()).isEqualTo(version);
  }
}
