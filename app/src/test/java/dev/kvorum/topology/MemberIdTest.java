package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "kvorum-0", "Node_1", "host.example"})
  void takesLabels(String name) {
    assertThat(new MemberId(name)).hasToString(name);
  }

  @Test
  void takesSixtyThreeCharactersAndNoMore() {
    assertThat(new MemberId("n".repeat(63)).name()).hasSize(63);
    assertThatIllegalArgumentException().isThrownBy(() -> new MemberId("n".repeat(64)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a-", ".a", "a b", "a,b", "a/b", "a\n", "é"})
  void rejectsWhatIsNoLabel(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> new MemberId(name));
  }

  @Test
  void writerIsStableForADataDirectory() {
    int writer = new MemberId("kvorum-0").writer(7);
    assertThat(new MemberId("kvorum-0").writer(7)).isEqualTo(writer);
    assertThat(new MemberId("kvorum-0").writer(8)).as("another disk").isNotEqualTo(writer);
    assertThat(new MemberId("kvorum-1").writer(7)).isNotEqualTo(writer);
  }

  @Test
  void sortsByName() {
    assertThat(new MemberId("a")).isLessThan(new MemberId("b"));
  }
}
