package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.seeds.Seeds;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentDecoderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "a 61",
        "a+b 612062",
        "a%20b 612062",
        "a%2Bb 612b62",
        "a%2bb 612b62",
        "100%25 31303025",
        "a/b?c 612f623f63",
        "%00 00",
        "%0A%0d 0a0d",
        "%F0%9F%92%A9 f09f92a9",
        "%e2%82%ac e282ac",
        "%2541 253431",
        ";:@!$'()*,~ 3b3a402124272829" + "2a2c7e",
      })
  void decodesAsUrlQueryComponentsDo(String text, String hex) throws BadRequestException {
    assertThat(decode(text)).asHexString().isEqualToIgnoringCase(hex);
  }

  @Test
  void takesRawUtf8BytesAsTheyCameOverTheWire() throws BadRequestException {
    byte[] utf8 = "ключ €💩".getBytes(StandardCharsets.UTF_8);

    assertThat(decode(new String(utf8, StandardCharsets.ISO_8859_1))).isEqualTo(utf8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%",
        "a%",
        "%4",
        "a%4",
        "%zz",
        "%4z",
        "%z4",
        "%%41",
        "%-1",
        "%+1",
        "% 1",
        "%\u00b2\u00b3",
      })
  void rejectsCutAndMalformedEscapes(String text) {
    assertInvalid(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%FF",
        "%80",
        "%C3",
        "%C0%80", // an overlong NUL
        "%E0%80%AF", // an overlong slash
        "%ED%A0%80", // half a surrogate pair
        "%F4%90%80%80", // above U+10FFFF
        "%F0%9F%92", // cut short
        "\u00e9", // raw Latin-1
        "%C3\u00e9\u00e9"
      })
  void rejectsBytesThatAreNotUtf8(String text) {
    assertInvalid(text);
  }

  @Test
  void looksAtNothingOutsideItsBounds() throws BadRequestException {
    assertThat(PercentDecoder.decode("%ffid%41%", 2, 8)).asString().isEqualTo("fidA");
    assertThatThrownBy(() -> PercentDecoder.decode("%41", 0, 2))
        .isInstanceOf(BadRequestException.class);
    assertThat(PercentDecoder.decode("abc", 1, 1)).isEmpty();
  }

  @Test
  void undoesEveryEncodingOfRandomText() throws BadRequestException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      String text = randomText(random);
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);

      assertThat(decode(URLEncoder.encode(text, StandardCharsets.UTF_8)))
          .as("seed %d", seed)
          .isEqualTo(utf8);
      assertThat(decode(mixed(utf8, random))).as("seed %d", seed).isEqualTo(utf8);
    }
  }

  @Test
  void takesRandomBytesExactlyWhenTheyAreUtf8() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[1 + random.nextInt(4)];
      random.nextBytes(bytes);
      String text = mixed(bytes, random);
      if (isUtf8(bytes)) {
        assertThat(decodeOrNull(text)).as("seed %d", seed).isEqualTo(bytes);
      } else {
        assertThat(decodeOrNull(text)).as("seed %d, %s", seed, text).isNull();
      }
    }
  }

  /** Every byte escaped or raw, as chance has it. */
  private static String mixed(byte[] bytes, Random random) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      boolean special = b == '%' || b == '+' || b == '&' || b == '#' || b == '=';
      if (special || random.nextBoolean()) {
        text.append(String.format(random.nextBoolean() ? "%%%02x" : "%%%02X", b & 0xff));
      } else {
        text.append((char) (b & 0xff));
      }
    }
    return text.toString();
  }

  private static String randomText(Random random) {
    return random
        .ints(1 + random.nextInt(20), 0, 0x110000)
        .filter(c -> c < 0xd800 || c > 0xdfff)
        .map(c -> random.nextBoolean() ? c & 0x7f : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static void assertInvalid(String text) {
    assertThatThrownBy(() -> decode(text))
        .isInstanceOfSatisfying(
            BadRequestException.class,
            mistake -> assertThat(mistake.problem()).isEqualTo("invalid-encoding"));
  }

  private static byte @Nullable [] decodeOrNull(String text) {
    try {
      return decode(text);
    } catch (BadRequestException e) {
      return null;
    }
  }

  private static byte[] decode(String text) throws BadRequestException {
    return PercentDecoder.decode(text, 0, text.length());
  }
}
