package dev.kvorum.deadlines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeadlineListTest {
  // The clock overflows between the first and the last deadline.
  private static final long START_NANOS = Long.MAX_VALUE - 5;

  private final DeadlineList list = new DeadlineList();
  private final List<Noted> expired = new ArrayList<>();

  private final class Noted extends DeadlineList.Entry {
    private final long due;

    Noted(long due) {
      this.due = due;
      list.add(this, START_NANOS + due);
    }

    @Override
    protected void expired() {
      assertThat(isListed()).isFalse();
      expired.add(this);
    }
  }

  @Test
  void expiresTheEarliestFirstAndAmongEqualDeadlinesTheOldest() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      expired.clear();
      List<Noted> staying = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        Noted entry = new Noted(random.nextInt(10));
        if (random.nextInt(3) == 0) {
          entry.leave();
          entry.leave();
        } else {
          staying.add(entry);
        }
      }
      staying.sort(Comparator.comparingLong(entry -> entry.due));
      for (int now = 0; now < 10; now++) {
        int passed = now;
        list.expire(START_NANOS + now);
        List<Noted> due = staying.stream().filter(entry -> entry.due <= passed).toList();
        assertThat(expired).as("seed %d", seed).containsExactlyElementsOf(due);
        assertThat(list.isEmpty()).as("seed %d", seed).isEqualTo(due.size() == staying.size());
      }
    }
  }
}
