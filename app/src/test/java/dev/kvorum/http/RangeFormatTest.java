package dev.kvorum.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.TypedValue;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RangeFormatTest {
  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  /** Any text: each character from a plane of Unicode picked at random, no halves of pairs. */
  private String anyText() {
    return random
        .ints(random.nextInt(1, 60), 0, 4)
        .map(plane -> random.nextInt(plane == 0 ? 0x80 : plane == 1 ? 0x800 : 0x110000))
        .filter(point -> point < 0xD800 || point > 0xDFFF)
        .mapToObj(Character::toString)
        .collect(Collectors.joining("", "k", ""));
  }

  private Mutation anyRecord(String key) {
    byte[] value = new byte[random.nextInt(100)];
    random.nextBytes(value);
    Version version = new Version(random.nextLong() & Long.MAX_VALUE, random.nextInt());
    long expires = random.nextBoolean() ? Versioned.NEVER : random.nextLong(1L << 45);
    return new Mutation(Key.of(key), Versioned.live(version, expires, 3, value));
  }

  @Test
  void anyRecordIsWholeInJson() {
    for (int i = 0; i < 1_000; i++) {
      String key = anyText();
      Mutation record = anyRecord(key);
      ByteBuf out = Unpooled.buffer();
      RangeFormat.JSON_LINES.write(record, true, out);
      String line = out.toString(StandardCharsets.UTF_8);
      JsonNode json = JsonMapper.shared().readTree(line);
      assertThat(line).as("seed %d", seed).endsWith("}\n").containsOnlyOnce("\n");
      assertThat(json.get("key").asString()).as("seed %d", seed).isEqualTo(key);
      assertThat(Base64.getDecoder().decode(json.get("value").asString()))
          .isEqualTo(record.record().value());
      assertThat(json.get("version").asString()).isEqualTo(record.record().version().toString());
      assertThat(json.path("expires").asLong(Versioned.NEVER))
          .isEqualTo(record.record().expiresAtMillis());
    }
  }

  @Test
  void aMediaTypeIsAFieldOfItsOwn() {
    byte[] head = TypedValue.head("text/plain; charset=\"utf-8\"");
    byte[] value = Arrays.copyOf(head, head.length + 1);
    Versioned typed =
        Versioned.live(new Version(1, 2), RecordKind.TYPED_VALUE, Versioned.NEVER, 3, value);
    Mutation record = new Mutation(Key.of("k"), typed);
    ByteBuf out = Unpooled.buffer();
    RangeFormat.JSON_LINES.write(record, true, out);
    JsonNode json = JsonMapper.shared().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(json.get("type").asString()).isEqualTo("text/plain; charset=\"utf-8\"");
    assertThat(Base64.getDecoder().decode(json.get("value").asString())).isEqualTo(new byte[1]);
    ByteBuf chunk = Unpooled.buffer();
    RangeFormat.CHUNKS.write(record, true, chunk);
    assertThat(chunk).isEqualTo(Unpooled.wrappedBuffer(new byte[] {'k', '\n', 0}));
    assertThat(RangeFormat.CHUNKS.bytes(record, true)).isEqualTo(3);
  }

  @Test
  void aChunkIsKeyNewlineValueAndAsLongAsItsHeader() {
    Mutation record = anyRecord(anyText());
    ByteBuf out = Unpooled.buffer();
    RangeFormat.CHUNKS.write(record, true, out);
    assertThat(out.readableBytes()).isEqualTo(RangeFormat.CHUNKS.bytes(record, true));
    byte[] key = record.key().bytes();
    assertThat(out.readSlice(key.length)).isEqualTo(Unpooled.wrappedBuffer(key));
    assertThat(out.readByte()).isEqualTo((byte) '\n');
    assertThat(out).as("seed %d", seed).isEqualTo(Unpooled.wrappedBuffer(record.record().value()));
  }

  @Test
  void withoutItsValueARecordHasItsLengthInJsonAndItsKeyInAChunk() {
    Mutation record = anyRecord(anyText());
    ByteBuf line = Unpooled.buffer();
    RangeFormat.JSON_LINES.write(record, false, line);
    JsonNode json = JsonMapper.shared().readTree(line.toString(StandardCharsets.UTF_8));
    assertThat(json.has("value")).isFalse();
    assertThat(json.get("bytes").asInt()).isEqualTo(record.record().value().length);
    assertThat(json.get("version").asString()).isEqualTo(record.record().version().toString());

    ByteBuf chunk = Unpooled.buffer();
    RangeFormat.CHUNKS.write(record, false, chunk);
    assertThat(chunk.readableBytes()).isEqualTo(RangeFormat.CHUNKS.bytes(record, false));
    assertThat(chunk.toString(StandardCharsets.UTF_8)).isEqualTo(record.key() + "\n");
  }
}
