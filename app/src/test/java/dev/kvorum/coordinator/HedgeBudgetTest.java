package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HedgeBudgetTest {
  @Test
  void allowsABurstAndThenTheGivenShareOfReads() {
    HedgeBudget budget = new HedgeBudget(0.05);
    int burst = 0;
    while (budget.tryTake()) {
      burst++;
    }
    assertThat(burst).isEqualTo(50);
    int hedges = 0;
    for (int read = 0; read < 10_000; read++) {
      budget.onRead();
      hedges += budget.tryTake() ? 1 : 0;
    }
    assertThat(hedges).isBetween(495, 500);
  }

  @Test
  void doesNotSaveUpMoreThanABurst() {
    HedgeBudget budget = new HedgeBudget(1);
    for (int read = 0; read < 1000; read++) {
      budget.onRead();
    }
    int hedges = 0;
    while (budget.tryTake()) {
      hedges++;
    }
    assertThat(hedges).isEqualTo(50);
  }

  @Test
  void aShareOfNothingEndsWithTheFirstBurst() {
    HedgeBudget budget = new HedgeBudget(0);
    while (budget.tryTake()) {
      budget.onRead();
    }
    budget.onRead();
    assertThat(budget.tryTake()).isFalse();
  }
}
