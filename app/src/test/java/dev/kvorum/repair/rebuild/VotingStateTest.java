package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Slots;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** A vote in reads that is restored late. */
class VotingStateTest {
  private final VotingState votingState = new VotingState();

  @Test
  void noVoteIsRestoredWhileItIsBarred() {
    votingState.complete();
    votingState.bar();
    BitSet all = new BitSet();
    all.set(0, Slots.COUNT);
    votingState.back(all);
    votingState.complete();
    assertThat(votingState.hasAll()).isFalse();
    assertThat(votingState.has(Key.of("k"))).isFalse();
    votingState.unbar();
    assertThat(votingState.hasAll()).isFalse();
    votingState.complete();
    assertThat(votingState.has(Key.of("k"))).isTrue();
  }
}
