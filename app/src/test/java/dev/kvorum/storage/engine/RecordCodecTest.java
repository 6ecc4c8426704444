package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final Key KEY = Key.of("k");

  /** What a node of format 1 has stored: version 0102030405060708-9, expiry 10, from 3. */
  private static final String FORMAT_1 = "0100010203040506070800000009000000000000000a030b";

  private final long seed = Seeds.seed();
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void readsWhatItWrote() throws CorruptRecordException {
    for (int i = 0; i < 2000; i++) {
      Versioned written = randomRecord();
      byte[] stored = RecordCodec.encode(written);

      assertThat(RecordCodec.decode(KEY, ByteBuffer.wrap(stored)))
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
    assertThat(HexFormat.of().formatHex(RecordCodec.encode(live.sealed(KEY))))
        .isEqualTo("0200010203040506070800000009000000000000000a03b4fb392b0b");
  }

  @Test
  void readsAndSealsARecordOfFormatOne() throws CorruptRecordException {
    byte[] stored = HexFormat.of().parseHex(FORMAT_1);
    Versioned live = Versioned.live(new Version(0x0102030405060708L, 9), 10, 3, new byte[] {11});

    Versioned read = RecordCodec.decode(KEY, ByteBuffer.wrap(stored));
    assertThat(read).isEqualTo(live);
    assertThat(read.isIntact(KEY)).isTrue();
    assertThat(RecordCodec.version(ByteBuffer.wrap(stored), stored.length))
        .isEqualTo(live.version());
    assertThat(RecordCodec.decodeWithoutValue(KEY, stored, stored.length).checksum())
        .isEqualTo(live.sealed(KEY).checksum());
    byte[] written = RecordCodec.encode(read);
    assertThat(written[0]).isEqualTo((byte) 2);
    assertThat(RecordCodec.decode(KEY, ByteBuffer.wrap(written))).isEqualTo(live);
  }

  @Test
  void readsATombstoneOfFormatOne() throws CorruptRecordException {
    byte[] stored = HexFormat.of().parseHex("0101000000000000000100000001000000000000000003");
    Versioned tombstone = Versioned.tombstone(new Version(1, 1), 3);
    assertThat(RecordCodec.decode(KEY, ByteBuffer.wrap(stored))).isEqualTo(tombstone);
    assertThat(RecordCodec.head(ByteBuffer.wrap(stored), stored.length).tombstone()).isTrue();
  }

  @Test
  void rejectsARecordOfWhichAnyBitHasChanged() {
    byte[] stored = RecordCodec.encode(randomRecord());
    for (int bit = 0; bit < 8 * stored.length; bit++) {
      byte[] changed = stored.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(CorruptRecordException.class)
          .as("seed %d, bit %d", seed, bit)
          .isThrownBy(() -> RecordCodec.decode(KEY, ByteBuffer.wrap(changed)));
    }
  }

  @Test
  void rejectsTheRecordOfAnotherKey() {
    byte[] stored = RecordCodec.encode(randomRecord());
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(() -> RecordCodec.decode(Key.of("l"), ByteBuffer.wrap(stored)));
  }

  @Test
  void namesTheChecksumOfWhatIsThereWhereTheValueIsLeftOut() throws CorruptRecordException {
    Versioned record = Versioned.live(new Version(1, 1), 0, 3, new byte[] {1, 2}).sealed(KEY);
    byte[] stored = RecordCodec.encode(record);
    assertThat(RecordCodec.decodeWithoutValue(KEY, stored, stored.length).checksum())
        .isEqualTo(record.checksum());
    stored[stored.length - 1] ^= 4;
    assertThat(RecordCodec.decodeWithoutValue(KEY, stored, stored.length).checksum())
        .isNotEqualTo(record.checksum());
  }

  @Test
  void rejectsAnUnknownFormat() {
    byte[] stored = RecordCodec.encode(randomRecord());
    stored[0] = 3;
    rejects(stored, "format 3");
  }

  @Test
  void rejectsUnknownFlags() {
    byte[] stored = RecordCodec.encode(randomRecord());
    stored[1] = 4;
    rejects(stored, "flags 4");
  }

  @Test
  void rejectsARecordThatIsCutShort() {
    byte[] stored = RecordCodec.encode(randomRecord());
    for (int length = 0; length < RecordCodec.HEADER_BYTES_MIN; length++) {
      rejects(Arrays.copyOf(stored, length), "cut short");
    }
  }

  @Test
  void rejectsATombstoneWithAValue() {
    byte[] stored = RecordCodec.encode(Versioned.tombstone(new Version(1, 1), 3).sealed(KEY));
    rejects(Arrays.copyOf(stored, stored.length + 1), "tombstone");
  }

  @Test
  void takesAnyBytesForARecordOrForDamageAndNothingElse() {
    int records = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] stored = RecordCodec.encode(randomRecord());
      if (random.nextInt(10) > 0) {
        stored[random.nextInt(Math.min(stored.length, RecordCodec.HEADER_BYTES))] =
            (byte) random.nextInt();
      }
      if (random.nextBoolean()) {
        stored = Arrays.copyOf(stored, random.nextInt(stored.length + 1));
      }
      try {
        Versioned read = RecordCodec.decode(KEY, ByteBuffer.wrap(stored));
        assertThat(RecordCodec.decode(KEY, ByteBuffer.wrap(RecordCodec.encode(read))))
            .as("seed %d", seed)
            .isEqualTo(read);
        records++;
      } catch (CorruptRecordException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(records).as("seed %d", seed).isPositive();
  }

  private static void rejects(byte[] stored, String because) {
    assertThatExceptionOfType(CorruptRecordException.class)
        .isThrownBy(() -> RecordCodec.decode(KEY, ByteBuffer.wrap(stored)))
        .withMessageContaining(because);
    assertThatExceptionOfType(CorruptRecordException.class)
        .isThrownBy(() -> RecordCodec.version(ByteBuffer.wrap(stored), stored.length))
        .withMessageContaining(because);
  }

  private Versioned randomRecord() {
    Version version = new Version(random.nextLong(Long.MAX_VALUE), random.nextInt());
    int from = random.nextInt(1, Versioned.FROM_MAX + 1);
    if (random.nextInt(4) == 0) {
      return Versioned.tombstone(version, from).sealed(KEY);
    }
    byte[] value = new byte[random.nextInt(300)];
    random.nextBytes(value);
    long expiry = random.nextBoolean() ? Versioned.NEVER : random.nextLong(Long.MAX_VALUE);
    return Versioned.live(version, expiry, from, value).sealed(KEY);
  }
}
