package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the word of a member is worth that has forgotten which versions it met. */
class WriteFloorTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final Key KEY = Key.of("written below what was forgotten");

  private final RepairBench bench = new RepairBench(3);
  private final MemberId lost = bench.members.get(0);
  private final MemberId witness = bench.members.get(1);
  private final MemberId third = bench.members.get(2);

  @BeforeEach
  void loseADiskThatWillTakeLongToFill() {
    bench.settings = RepairBench.settings(2_000);
    bench.start();
    for (int i = 0; i < 1000; i++) {
      bench.put(Key.of("key " + i), bench.live(MINUTE, 3));
    }
    bench.kill(lost);
    bench.loseDisk(lost);
  }

  private Applied write(Version version) {
    Mutation mutation =
        new Mutation(KEY, Versioned.live(version, Versioned.NEVER, 3, new byte[10]));
    List<ReplicaReply> replies = new ArrayList<>();
    bench
        .site(lost)
        .replicas
        .ask(lost, new ReplicaRequest.Write(mutation), Long.MAX_VALUE, replies::add);
    bench.pass(Duration.ofMillis(10));
    assertThat(replies).as("seed " + bench.seed).hasSize(1);
    return ((ReplicaReply.Wrote) replies.getFirst()).applied();
  }

  @Test
  void acknowledgesNothingUntilAllHaveSpokenThatMayKnowMore() {
    bench.network.cutOff(third);
    bench.start(lost);
    bench.pass(TWO_SECONDS);
    assertThat(write(bench.version(Duration.ZERO)))
        .isEqualTo(new Applied.Refused(Refusal.REBUILDING));
    bench.network.bringBack(third);
    bench.pass(TWO_SECONDS);
    assertThat(bench.site(lost).votesOnAll()).isFalse();
    assertThat(write(bench.version(Duration.ZERO))).isEqualTo(Applied.Stored.STORED);
  }

  @Test
  void answersThatAWriteIsSupersededWhichIsBelowWhatItMayHaveMet() {
    Version met = bench.version(Duration.ofMillis(-400));
    assertThat(bench.site(witness).clock.observe(met)).isTrue();
    bench.start(lost);
    bench.pass(Duration.ofMillis(300));
    assertThat(bench.site(lost).votesOnAll()).isFalse();
    Applied below = write(bench.version(Duration.ofMillis(20)));
    assertThat(below).isInstanceOf(Applied.Superseded.class);
    Version floor = ((Applied.Superseded) below).by();
    assertThat(floor.stamp()).isGreaterThanOrEqualTo(met.stamp());
    assertThat(write(new Version(floor.stamp() + 1, 0))).isEqualTo(Applied.Stored.STORED);
  }

  @Test
  void whatItDoesNotAcknowledgeIsStoredAllTheSame() {
    Version met = bench.version(Duration.ofMillis(-400));
    assertThat(bench.site(witness).clock.observe(met)).isTrue();
    bench.start(lost);
    bench.pass(Duration.ofMillis(300));
    Version version = bench.version(Duration.ofMillis(20));
    assertThat(write(version)).isInstanceOf(Applied.Superseded.class);
    assertThat(bench.store(lost).get(KEY).orElseThrow().version()).isEqualTo(version);
  }
}
