package dev.kvorum.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class KeyTest {
  @Test
  void hasOneTo1024Bytes() {
    assertThat(Key.ofBytes(new byte[1]).bytes()).hasSize(1);
    assertThat(Key.ofBytes(new byte[Key.BYTES_MAX]).bytes()).hasSize(1024);
    assertThatIllegalArgumentException().isThrownBy(() -> Key.ofBytes(new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> Key.of("x".repeat(1025)));
  }

  @Test
  void countsBytesAndNotCharacters() {
    assertThat(Key.of("é".repeat(512)).bytes()).hasSize(1024);
    assertThatIllegalArgumentException().isThrownBy(() -> Key.of("é".repeat(513)));
  }

  @Test
  void isOrderedByItsBytesUnsigned() {
    // By UTF-16, as String orders, the surrogates of the emoji would come before U+FFFD.
    assertThat(Key.of("😀")).isGreaterThan(Key.of("\uFFFD"));
    assertThat(Key.of("é")).isGreaterThan(Key.of("z"));
    assertThat(Key.of("ab")).isGreaterThan(Key.of("a"));
  }

  @Test
  void isEqualByItsBytes() {
    assertThat(Key.of("a")).isEqualTo(Key.of("a")).hasSameHashCodeAs(Key.of("a"));
    assertThat(Key.of("a")).isNotEqualTo(Key.of("b")).hasToString("a");
  }

  @Test
  void isOneWordOfOneLineWhenItIsEncoded() {
    assertThat(Key.of("a b\nERROR ü").encoded()).isEqualTo("a+b%0AERROR+%C3%BC");
  }
}
