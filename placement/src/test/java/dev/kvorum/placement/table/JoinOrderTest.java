package dev.kvorum.placement.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinOrderTest {
  @Test
  void highestOrdinalOfStatefulSetIsLast() {
    assertThat(sorted("kvorum-10", "kvorum-9", "kvorum-0", "kvorum-2"))
        .containsExactly("kvorum-0", "kvorum-2", "kvorum-9", "kvorum-10");
  }

  @Test
  void setsOfSeveralZonesGrowRoundByRound() {
    assertThat(sorted("kvorum-b-0", "kvorum-a-1", "kvorum-c-0", "kvorum-a-0"))
        .containsExactly("kvorum-a-0", "kvorum-b-0", "kvorum-c-0", "kvorum-a-1");
  }

  @Test
  void namesWithoutNumberComeFirstByName() {
    assertThat(sorted("n1", "beta", "alpha", "0")).containsExactly("alpha", "beta", "0", "n1");
  }

  @Test
  void leadingZerosAndLongNumbersAreNumbersToo() {
    assertThat(sorted("n-99999999999999999999", "n-010", "n-9", "n-00", "n-10"))
        .containsExactly("n-00", "n-9", "n-010", "n-10", "n-99999999999999999999");
  }

  private static List<String> sorted(String... names) {
    return Arrays.stream(names).sorted(new JoinOrder()).toList();
  }
}
