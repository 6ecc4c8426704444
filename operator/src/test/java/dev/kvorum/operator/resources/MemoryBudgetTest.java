package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {512, 513, 600, 768, 1024, 2000, 4096, 8192, 65_536, 524_288})
  void allPartsAndTheJvmFitIntoTheLimitWithSlack(long limitMib) {
    MemoryBudget budget = MemoryBudget.of(limitMib * MIB);
    long jvm = 170 * MIB;
    assertThat(budget.heapBytes() + budget.directBytes() + budget.storeBytes() + jvm)
        .isLessThanOrEqualTo(limitMib * MIB * 88 / 100);
    assertThat(budget.heapBytes()).isLessThanOrEqualTo(limitMib * MIB * 35 / 100);
    assertThat(budget.heapBytes()).isGreaterThanOrEqualTo(128 * MIB);
    assertThat(budget.storeBytes())
        .as("a node takes no less than 8 MiB")
        .isGreaterThanOrEqualTo(32 * MIB);
    assertThat(budget.slackBytes()).isGreaterThanOrEqualTo(64 * MIB);
  }

  @Test
  void theDefaultLimitIsDividedLikeThis() {
    MemoryBudget budget = MemoryBudget.of(768 * MIB);
    assertThat(budget).isEqualTo(new MemoryBudget(256 * MIB, 64 * MIB, 165 * MIB, 107 * MIB));
    assertThat(budget.storeSetting()).isEqualTo("165MB");
    assertThat(budget.javaOptions(2)).contains("-Xmx256m", "-XX:MaxDirectMemorySize=64m");
  }

  @Test
  void lessThanANodeNeedsIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryBudget.of(512 * MIB - 1));
  }
}
