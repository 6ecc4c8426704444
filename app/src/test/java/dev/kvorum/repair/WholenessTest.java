package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Slots;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** A say in reads that is given back late. */
class WholenessTest {
  private final Wholeness wholeness = new Wholeness();

  @Test
  void whoeverHasNotHeardThatTheStoreGoesGivesNothingBack() {
    wholeness.whole();
    wholeness.bar();
    BitSet all = new BitSet();
    all.set(0, Slots.COUNT);
    wholeness.back(all);
    wholeness.whole();
    assertThat(wholeness.hasAll()).isFalse();
    assertThat(wholeness.has(Key.of("k"))).isFalse();
    wholeness.unbar();
    assertThat(wholeness.hasAll()).isFalse();
    wholeness.whole();
    assertThat(wholeness.has(Key.of("k"))).isTrue();
  }
}
