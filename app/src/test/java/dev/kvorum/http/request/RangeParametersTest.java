package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeQuery.Scope;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeParametersTest {
  private static String token(Key key) {
    return new String(ResumeToken.of(key), StandardCharsets.US_ASCII);
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
    assertThat(RangeParameters.parse("/v0/entities?scope=node&end=b+c&limit=7&start=a%26#x"))
        .isEqualTo(new RangeQuery(range, 7, Scope.NODE));
  }

  @Test
  void takesTheWholeClusterToTheLastKeyWhenNothingIsSaid() throws BadRequestException {
    KeyRange range = new KeyRange(Optional.of(Key.of("a")), true, Optional.empty());
    assertThat(RangeParameters.parse("/v0/entities?start=a"))
        .isEqualTo(new RangeQuery(range, Long.MAX_VALUE, Scope.CLUSTER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u0000", "\n", "💩", "~~~???>>>"})
  void goesOnBehindTheKeyOfAToken(String text) throws BadRequestException {
    Key key = Key.of(text);
    assertThat(token(key)).matches("[A-Za-z0-9_-]+");
    assertThat(RangeParameters.parse("/v0/entities?resume=" + token(key)).keys())
        .isEqualTo(KeyRange.ALL.after(key));
  }

  @Test
  void aTokenHasRoomForTheLongestKey() throws BadRequestException {
    Key key = Key.of("k".repeat(Key.BYTES_MAX));
    assertThat(RangeParameters.parse("/v0/entities?resume=" + token(key)).keys().start())
        .hasValue(key);
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
