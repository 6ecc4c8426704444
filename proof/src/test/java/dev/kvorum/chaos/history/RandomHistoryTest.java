package dev.kvorum.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories of a store in memory with clients that overlap: honest ones pass, spoilt ones do not.
 */
class RandomHistoryTest {
  private static final int STEPS = 300;

  /** A register that does each operation at one moment between its start and its end. */
  private static final class Register {
    private final Random random;
    private final HistoryBuilder history = new HistoryBuilder();
    private final List<String> past = new ArrayList<>();
    private final List<Long> pastVersions = new ArrayList<>();
    private String value = "";
    private long version;
    private long now = 1;
    private long lastStart;

    Register(long seed) {
      random = new Random(seed);
    }

    void step(int number) {
      now += 1 + random.nextInt(20);
      long from = now - random.nextInt(30);
      long to = now + random.nextInt(30);
      lastStart = Math.max(lastStart, to);
      history.by("c" + number, 0);
      switch (random.nextInt(5)) {
        case 0, 1 -> write("v" + number, from, to, random.nextInt(4) == 0);
        case 2 -> delete(from, to, random.nextInt(4) == 0);
        case 3 -> history.rejectedPut("r" + number, from, to);
        default -> read(from, to);
      }
    }

    private void write(String written, long from, long to, boolean perhaps) {
      if (perhaps) {
        history.perhapsPut(written, 0, from, to);
      } else {
        history.put(written, now, from, to);
        past.add(written);
        pastVersions.add(now);
      }
      if (!perhaps || random.nextBoolean()) {
        value = written;
        version = now;
      }
    }

    private void delete(long from, long to, boolean perhaps) {
      if (perhaps) {
        history.perhapsDelete(504, from, to);
      } else {
        history.delete(now, from, to);
      }
      if (!perhaps || random.nextBoolean()) {
        value = "";
        version = now;
      }
    }

    private void read(long from, long to) {
      if (value.isEmpty()) {
        history.miss(from, to);
      } else {
        history.read(value, version, from, to);
      }
    }
  }

  private static Register run(long seed) {
    Register register = new Register(seed);
    for (int i = 0; i < STEPS; i++) {
      register.step(i);
    }
    return register;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void acceptsEveryHonestHistory(long seed) {
    assertThat(run(seed).history.violations()).as("seed %d", seed).isEmpty();
  }

  @Test
  void noticesEveryOldValueReadAtTheEnd() {
    for (long seed = 1; seed <= 50; seed++) {
      Register register = run(seed);
      register.history.put("last", register.now + 50, register.now + 40, register.now + 60);
      int old = register.random.nextInt(register.past.size());
      long later = Math.max(register.lastStart, register.now + 60) + 1;
      register.history.read(
          register.past.get(old), register.pastVersions.get(old), later, later + 1);
      assertThat(register.history.violations()).as("seed %d", seed).isNotEmpty();
    }
  }
}
