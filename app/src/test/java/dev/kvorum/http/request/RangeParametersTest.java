package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeQuery.Scope;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.BadRequestException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeParametersTest {
  private static String token(Key key) {
    return new String(ResumeToken.of(key), StandardCharsets.US_ASCII);
  }

  private static RangeQuery query(String parameters) throws BadRequestException {
    return RangeParameters.parse("/v0/entities?" + parameters).query();
  }

  @Test
  void takesNoTokenThatNoStoreGives() {
    // Its key is no UTF-8.
    assertThatThrownBy(() -> RangeParameters.parse("/v0/entities?resume=Af8"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("was not issued");
  }

  @Test
  void readsAllParametersInAnyOrder() throws BadRequestException {
    KeyRange range = new KeyRange(Optional.of(Key.of("a&")), true, Optional.of(Key.of("b c")));
    assertThat(query("scope=node&end=b+c&limit=7&start=a%26#x"))
        .isEqualTo(new RangeQuery(range, KeyOrder.ASCENDING, 7, Scope.NODE));
  }

  @Test
  void takesTheWholeClusterToTheLastKeyWhenNothingIsSaid() throws BadRequestException {
    KeyRange range = new KeyRange(Optional.of(Key.of("a")), true, Optional.empty());
    assertThat(query("start=a"))
        .isEqualTo(new RangeQuery(range, KeyOrder.ASCENDING, Long.MAX_VALUE, Scope.CLUSTER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u0000", "\n", "💩", "~~~???>>>"})
  void goesOnBehindTheKeyOfAToken(String text) throws BadRequestException {
    Key key = Key.of(text);
    assertThat(token(key)).matches("[A-Za-z0-9_-]+");
    assertThat(query("resume=" + token(key)).keys()).isEqualTo(KeyRange.ALL.after(key));
  }

  @Test
  void inReverseATokenIsTheEndOfWhatIsLeft() throws BadRequestException {
    Key b = Key.of("b");
    Key d = Key.of("d");
    KeyRange all = new KeyRange(Optional.of(b), true, Optional.of(d));
    assertThat(query("start=b&end=d&reverse=true"))
        .isEqualTo(new RangeQuery(all, KeyOrder.DESCENDING, Long.MAX_VALUE, Scope.CLUSTER));
    assertThat(query("start=b&reverse=true&resume=" + token(Key.of("c"))).keys())
        .isEqualTo(all.before(Key.of("c")));
    assertThat(query("end=d&reverse=true").keys()).isEqualTo(KeyRange.ALL.before(d));
    assertThat(query("prefix=b&reverse=true&resume=" + token(d)).keys())
        .as("before a key behind all of them")
        .isEqualTo(KeyRange.ofPrefix(b));
    assertThat(query("prefix=b&reverse=false").order()).isEqualTo(KeyOrder.ASCENDING);
  }

  @Test
  void aTokenHasRoomForTheLongestKey() throws BadRequestException {
    Key key = Key.of("k".repeat(Key.BYTES_MAX));
    assertThat(query("resume=" + token(key)).keys().start()).hasValue(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fruit:", "ä", "\u07ff", "\ud7ff", "💩", "\udbff\udfff", "~"})
  void aPrefixHasAllKeysThatBeginWithItAndNoOther(String text) throws BadRequestException {
    String prefix = URLEncoder.encode(text, StandardCharsets.UTF_8);
    KeyRange keys = query("prefix=" + prefix).keys();
    for (String rest : List.of("", "\u0000", "~", "ä", "\udbff\udfff".repeat(3))) {
      assertThat(keys.contains(Key.of(text + rest))).as(rest).isTrue();
    }
    Key middle = Key.of(text + "m");
    assertThat(query("prefix=" + prefix + "&resume=" + token(middle)).keys())
        .isEqualTo(keys.after(middle));
    assertThat(query("resume=" + token(Key.of("\u0000")) + "&prefix=" + prefix).keys())
        .as("behind a key before all of them")
        .isEqualTo(keys);
    int last = text.codePointBefore(text.length());
    String others = text.substring(0, text.length() - Character.charCount(last));
    assertThat(keys.contains(Key.of(others + Character.toString(last - 1) + "~"))).isFalse();
    if (last < Character.MAX_CODE_POINT) {
      // Above the surrogates, which have no UTF-8.
      String above = others + Character.toString(last == 0xd7ff ? 0xe000 : last + 1);
      assertThat(keys.contains(Key.of(above))).isFalse();
    }
  }

  @Test
  void theEmptyPrefixIsThatOfAllKeys() throws BadRequestException {
    assertThat(query("prefix=").keys()).isEqualTo(KeyRange.ALL);
    assertThat(query("prefix=&resume=" + token(Key.of("a"))).keys())
        .isEqualTo(KeyRange.ALL.after(Key.of("a")));
  }

  @Test
  void isForItsPathOnly() {
    assertThat(RangeParameters.matches("/v0/entities")).isTrue();
    assertThat(RangeParameters.matches("/v0/entities?start=a")).isTrue();
    assertThat(RangeParameters.matches("/v0/entity?start=a")).isFalse();
    assertThat(RangeParameters.matches("/v0/entities/")).isFalse();
    assertThat(RangeParameters.matches("/v0/entitiesx?start=a")).isFalse();
    assertThat(EntityQuery.matches("/v0/entities?start=a")).isFalse();
  }
}
