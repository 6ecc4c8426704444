package dev.kvorum.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotsTest {
  /** Published results of MurmurHash3_x86_32 with seed 0. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "test                                        | ba6bd213",
        "hello                                       | 248bfa47",
        "hello, world                                | 149bbb7f",
        "Hello, world!                               | c0363e43",
        "The quick brown fox jumps over the lazy dog | 2e4ff723"
      })
  void isTheLowTwelveBitsOfMurmur3(String key, String murmur3) {
    assertThat(Slots.of(Key.of(key))).isEqualTo(Integer.parseUnsignedInt(murmur3, 16) & 0xfff);
  }

  @ParameterizedTest
  @CsvSource({"k", "a longer key", "ключ", "鍵"})
  void liesWithinTheTable(String key) {
    assertThat(Slots.of(Key.of(key))).isBetween(0, Slots.COUNT - 1);
  }
}
