package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.kvorum.data.Key;
import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.seeds.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityQueryTest {
  @Test
  void readsAllParametersInAnyOrder() throws BadRequestException {
    EntityQuery query = EntityQuery.parse("/v0/entity?ttl=5&from=3&ack=2&id=a%26b");

    assertThat(query).isEqualTo(new EntityQuery(Key.of("a&b"), 2, 3, 5L));
  }

  @Test
  void leavesWhatIsNotGivenOpen() throws BadRequestException {
    assertThat(EntityQuery.parse("/v0/entity?id=k"))
        .isEqualTo(new EntityQuery(Key.of("k"), null, null, null));
  }

  @ParameterizedTest
  @CsvSource({
    "/v0/entity?id=a=b,a=b",
    "/v0/entity?id==,=",
    "/v0/entity?id=a?b,a?b",
    "/v0/entity?&&id=a&,a",
    "/v0/entity?i%64=a,a",
    "/v0/entity?id=a#&id=b,a",
    "/v0/entity?id=a#,a",
    "/v0/entity?id=%23%26%3D,#&=",
    "/v0/entity?id=a/v0/entity?id,a/v0/entity?id",
    "http://host/v0/entity?id=a,a",
    "HTTP://host:8080/v0/entity?id=a,a",
    "https://[::1]:8080/v0/entity?id=http://x/,http://x/",
  })
  void findsTheKey(String uri, String key) throws BadRequestException {
    assertThat(EntityQuery.matches(uri)).isTrue();
    assertThat(EntityQuery.parse(uri).key()).isEqualTo(Key.of(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "",
        "*",
        "/v0",
        "/v0/entity/",
        "/v0/entityx?id=a",
        "/v0/entities?start=a",
        "/V0/entity?id=a",
        "//v0/entity?id=a",
        "/v0//entity?id=a",
        "/v0/entity#?id=a",
        "/v0/entity;x=y?id=a",
        "/v0/%65ntity?id=a",
        "v0/entity?id=a",
        "host/v0/entity?id=a",
        "http:/v0/entity?id=a",
        "http://v0/entity/?id=a",
        "http:///v0/entity?id=a",
        "http://host?/v0/entity?id=a",
        "ftp://host/v0/entity?id=a",
        "http",
        "https://",
        "httpx://host/v0/entity?id=a",
        "x?y=http://host/v0/entity?id=a",
      })
  void isNotMeantByOtherPaths(String uri) {
    assertThat(EntityQuery.matches(uri)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'',missing-id",
    "'?',missing-id",
    "?id,missing-id",
    "?id=,missing-id",
    "?id=#a,missing-id",
    "?ack=1,missing-id",
    "?ID=a,unknown-parameter",
    "?id=a&x=1,unknown-parameter",
    "?id=a&x,unknown-parameter",
    "?id=a;ack=1&acks=1,unknown-parameter",
    "?id=a&=3,unknown-parameter",
    "?id=a&=,unknown-parameter",
    "?id=a&%zz=3,invalid-encoding",
    "?id=a&i%64=b,repeated-parameter",
    "?id=a&id=a,repeated-parameter",
    "?id=a&ack=1&ack=1,repeated-parameter",
    "?id=a&ttl=1&ttl=2,repeated-parameter",
    "?id=a&ack=,invalid-number",
    "?id=a&ack,invalid-number",
    "?id=a&ack=x,invalid-number",
    "?id=a&ack=1.0,invalid-number",
    "?id=a&ack=0x1,invalid-number",
    "?id=a&ack=+1,invalid-number",
    "?id=a&ack=1%00,invalid-number",
    "?id=a&ack=%D9%A1,invalid-number",
    "?id=a&ack=4294967298,invalid-number",
    "?id=a&from=-4294967295,invalid-number",
    "?id=a&from=99999999999999999999,invalid-number",
    "?id=a&ttl=9223372036854775807,invalid-number",
    "?id=a&ttl=1e3,invalid-number",
    "?id=a&ttl=0,invalid-ttl",
    "?id=a&ttl=-1,invalid-ttl",
    "?id=a&ttl=-9223372036854775808,invalid-ttl",
    "?id=%,invalid-encoding",
    "?id=%ff,invalid-encoding",
    "?id=a&ack=%,invalid-encoding",
    "?id=%4&ack=1,invalid-encoding",
  })
  void namesTheMistake(String query, String problem) {
    assertThatThrownBy(() -> EntityQuery.parse("/v0/entity" + query))
        .isInstanceOfSatisfying(
            BadRequestException.class, mistake -> assertThat(mistake.problem()).isEqualTo(problem));
  }

  @Test
  void countsTheKeysBytesAndNotItsCharactersNorItsEscapes() throws BadRequestException {
    String euro = "%E2%82%AC"; // three bytes
    assertThat(EntityQuery.parse("/v0/entity?id=" + "x".repeat(1024)).key().bytes()).hasSize(1024);
    assertThat(EntityQuery.parse("/v0/entity?id=x" + euro.repeat(341)).key().bytes()).hasSize(1024);
    assertThatThrownBy(() -> EntityQuery.parse("/v0/entity?id=" + "x".repeat(1025)))
        .extracting(mistake -> ((BadRequestException) mistake).problem())
        .isEqualTo("key-too-long");
    assertThatThrownBy(() -> EntityQuery.parse("/v0/entity?id=xx" + euro.repeat(341)))
        .extracting(mistake -> ((BadRequestException) mistake).problem())
        .isEqualTo("key-too-long");
  }

  @Test
  void answersWhateverComesWithAQueryOrAMistake() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    String[] pieces = {
      "id", "ack", "from", "ttl", "=", "&", "?", "#", "%", "%41", "+", "1", "9", "-", "\u00e9", "/"
    };
    for (int round = 0; round < 50_000; round++) {
      StringBuilder uri = new StringBuilder("/v0/entity?");
      for (int i = random.nextInt(16); i > 0; i--) {
        uri.append(pieces[random.nextInt(pieces.length)]);
      }
      try {
        assertThat(EntityQuery.parse(uri.toString()).key().bytes()).isNotEmpty();
      } catch (BadRequestException mistake) {
        assertThat(mistake.detail()).isNotEmpty();
      } catch (RuntimeException e) {
        fail("seed " + seed + ": " + uri, e);
      }
    }
  }
}
