package dev.kvorum.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private final long seed = System.nanoTime();
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void readsWhatItWrote() throws CorruptRecordException {
    for (int i = 0; i < 2000; i++) {
      Versioned written = randomRecord();
      byte[] stored = RecordCodec.encode(written);

      assertThat(RecordCodec.decode(ByteBuffer.wrap(stored)))
          .as("seed %d", seed)
          .isEqualTo(written);
      byte[] header = Arrays.copyOf(stored, RecordCodec.HEADER_BYTES);
      assertThat(RecordCodec.version(ByteBuffer.wrap(header), stored.length))
          .as("seed %d", seed)
          .isEqualTo(written.version());
    }
  }

  @Test
  void keepsTheLayoutThatIsOnDisks() {
    Versioned live = Versioned.live(new Version(0x0102030405060708L, 9), 10, 3, new byte[] {11});
    assertThat(HexFormat.of().formatHex(RecordCodec.encode(live)))
        .isEqualTo("0100010203040506070800000009000000000000000a030b");
  }

  @Test
  void refusesAnUnknownFormat() {
    byte[] stored = RecordCodec.encode(randomRecord());
    stored[0] = 2;
    refuses(stored, "format 2");
  }

  @Test
  void refusesUnknownFlags() {
    byte[] stored = RecordCodec.encode(randomRecord());
    stored[1] = 4;
    refuses(stored, "flags 4");
  }

  @Test
  void refusesARecordThatIsCutShort() {
    byte[] stored = RecordCodec.encode(randomRecord());
    for (int length = 0; length < RecordCodec.HEADER_BYTES; length++) {
      refuses(Arrays.copyOf(stored, length), "cut short");
    }
  }

  @Test
  void refusesATombstoneWithAValue() {
    byte[] stored = RecordCodec.encode(Versioned.tombstone(new Version(1, 1), 3));
    refuses(Arrays.copyOf(stored, stored.length + 1), "tombstone");
  }

  @Test
  void takesAnyBytesForARecordOrForDamageAndNothingElse() {
    int records = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] stored = RecordCodec.encode(randomRecord());
      stored[random.nextInt(Math.min(stored.length, RecordCodec.HEADER_BYTES))] =
          (byte) random.nextInt();
      stored = Arrays.copyOf(stored, random.nextInt(stored.length + 1));
      try {
        Versioned read = RecordCodec.decode(ByteBuffer.wrap(stored));
        assertThat(RecordCodec.encode(read)).as("seed %d", seed).isEqualTo(stored);
        records++;
      } catch (CorruptRecordException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(records).as("seed %d", seed).isPositive();
  }

  private static void refuses(byte[] stored, String because) {
    assertThatExceptionOfType(CorruptRecordException.class)
        .isThrownBy(() -> RecordCodec.decode(ByteBuffer.wrap(stored)))
        .withMessageContaining(because);
    assertThatExceptionOfType(CorruptRecordException.class)
        .isThrownBy(() -> RecordCodec.version(ByteBuffer.wrap(stored), stored.length))
        .withMessageContaining(because);
  }

  private Versioned randomRecord() {
    Version version = new Version(random.nextLong(Long.MAX_VALUE), random.nextInt());
    int from = random.nextInt(1, Versioned.FROM_MAX + 1);
    if (random.nextInt(4) == 0) {
      return Versioned.tombstone(version, from);
    }
    byte[] value = new byte[random.nextInt(300)];
    random.nextBytes(value);
    long expiry = random.nextBoolean() ? Versioned.NEVER : random.nextLong(Long.MAX_VALUE);
    return Versioned.live(version, expiry, from, value);
  }
}
