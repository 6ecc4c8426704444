package dev.kvorum.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules give rights to the keys that they name, and to no other. */
class RightsTest {
  private static KeyRange prefix(String text) {
    return text.isEmpty() ? KeyRange.ALL : KeyRange.ofPrefix(Key.of(text));
  }

  private static Rights rights(String... prefixes) {
    List<Rights.Rule> rules = new ArrayList<>();
    for (String prefix : prefixes) {
      rules.add(new Rights.Rule(prefix(prefix), Set.of(Verb.RANGE, Verb.GET)));
    }
    return Rights.of(rules);
  }

  private static KeyRange range(String start, String end) {
    return new KeyRange(Optional.of(Key.of(start)), true, Optional.of(Key.of(end)));
  }

  @Test
  void aRangeHasToLieInside() {
    Rights rights = rights("app/", "b");
    assertThat(rights.allow(Verb.RANGE, prefix("app/"))).isTrue();
    assertThat(rights.allow(Verb.RANGE, prefix("app/x"))).isTrue();
    assertThat(rights.allow(Verb.RANGE, prefix("app"))).isFalse();
    assertThat(rights.allow(Verb.RANGE, prefix(""))).isFalse();
    assertThat(rights.allow(Verb.RANGE, range("app/", "app0")))
        .as("the end of the prefix")
        .isTrue();
    assertThat(rights.allow(Verb.RANGE, range("app/", "app0\0"))).as("a key more").isFalse();
    assertThat(rights.allow(Verb.RANGE, range("app/z", "c"))).as("a gap between").isFalse();
    KeyRange open = new KeyRange(Optional.of(Key.of("app/")), true, Optional.empty());
    assertThat(rights.allow(Verb.RANGE, open)).isFalse();
    assertThat(rights("").allow(Verb.RANGE, open)).isTrue();
    assertThat(rights("a", "b").allow(Verb.RANGE, range("a", "c"))).as("two that touch").isTrue();
    KeyRange last = prefix("app/").after(Key.of("app/zzz"));
    assertThat(rights.allow(Verb.RANGE, last)).as("the rest of a range").isTrue();
  }

  @Test
  void whatNoRuleNamesIsNotAllowed() {
    Rights rights = rights("app/");
    assertThat(rights.allow(Verb.GET, Key.of("app/1"))).isTrue();
    assertThat(rights.allow(Verb.PUT, Key.of("app/1"))).isFalse();
    assertThat(rights.allow(Verb.GET, Key.of("app"))).isFalse();
    assertThat(Rights.NONE.allow(Verb.GET, Key.of("a"))).isFalse();
    assertThat(Rights.READ.allow(Verb.RANGE, KeyRange.ALL)).isTrue();
    assertThat(Rights.READ.allow(Verb.DELETE, Key.of("a"))).isFalse();
    assertThat(Rights.ALL.allow(Verb.PUT, Key.ofBytes(new byte[] {0}))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void manyRulesAllowTheSameTogetherAsEachByItself(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 300; round++) {
      List<String> prefixes = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        prefixes.add(text(random, random.nextInt(4)));
      }
      Rights together = rights(prefixes.toArray(String[]::new));
      for (int i = 0; i < 30; i++) {
        String key = text(random, 1 + random.nextInt(4));
        assertThat(together.allow(Verb.GET, Key.of(key)))
            .as("seed %d: %s in %s", seed, key, prefixes)
            .isEqualTo(prefixes.stream().anyMatch(key::startsWith));
        String end = text(random, 1 + random.nextInt(4));
        if (together.allow(Verb.RANGE, range(key, end)) && key.compareTo(end) < 0) {
          assertThat(keys().filter(it -> key.compareTo(it) <= 0 && it.compareTo(end) < 0))
              .as("seed %d: %s to %s in %s", seed, key, end, prefixes)
              .allMatch(it -> prefixes.stream().anyMatch(it::startsWith));
        }
      }
    }
  }

  private static Stream<String> keys() {
    List<String> keys = new ArrayList<>(List.of(""));
    for (int i = 0; i < keys.size() && keys.get(i).length() < 4; i++) {
      for (String letter : List.of("a", "b", "c")) {
        keys.add(keys.get(i) + letter);
      }
    }
    return keys.stream().skip(1);
  }

  private static String text(RandomGenerator random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(3)));
    }
    return text.toString();
  }
}
