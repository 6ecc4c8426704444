package dev.kvorum.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kvorum.seeds.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class VersionedTest {
  private static final Key KEY = Key.of("k");
  private static final Version VERSION = new Version(7, 1);

  private final long seed = Seeds.seed();
  private final SplittableRandom random = new SplittableRandom(seed);

  private static Mutation put(byte[] value) {
    return new Mutation(KEY, Versioned.live(VERSION, 99, 3, value));
  }

  @Test
  void getsItsChecksumUnderItsKeyAndKeepsIt() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Versioned.live(VERSION, 99, 3, new byte[1]).checksum());
    Mutation put = put(new byte[] {1, 2, 3});
    assertThat(put.isIntact()).isTrue();
    put.record().value()[1] ^= 8;
    assertThat(put.isIntact()).isFalse();
    assertThat(new Mutation(KEY, put.record()).isIntact()).as("sealed once").isFalse();
  }

  @Test
  void isLiveUntilItExpiresAndAsksForTheTimeOnlyIfItDoes() {
    assertThat(put(new byte[1]).record().isLive(() -> 98)).isTrue();
    assertThat(put(new byte[1]).record().isLive(() -> 99)).isFalse();
    LongSupplier none =
        () -> {
          throw new AssertionError("the time was read");
        };
    assertThat(Versioned.live(VERSION, Versioned.NEVER, 3, new byte[1]).isLive(none)).isTrue();
    assertThat(Versioned.tombstone(VERSION, 3).isLive(none)).isFalse();
  }

  @Test
  void theChecksumIsOfEverything() {
    Versioned record = put(new byte[] {1, 2, 3}).record();
    int checksum = record.checksum();
    byte[] value = record.value();
    List<Versioned> others =
        List.of(
            Versioned.received(new Version(8, 1), RecordKind.VALUE, 99, 3, value, checksum),
            Versioned.received(new Version(7, 2), RecordKind.VALUE, 99, 3, value, checksum),
            Versioned.received(VERSION, RecordKind.TOMBSTONE, 99, 3, value, checksum),
            Versioned.received(VERSION, RecordKind.VALUE, 98, 3, value, checksum),
            Versioned.received(VERSION, RecordKind.VALUE, 99, 2, value, checksum),
            Versioned.received(VERSION, RecordKind.VALUE, 99, 3, new byte[] {1, 2}, checksum),
            Versioned.received(VERSION, RecordKind.VALUE, 99, 3, value, checksum ^ 1));
    assertThat(others).noneMatch(other -> other.isIntact(KEY));
    assertThat(record.isIntact(KEY)).isTrue();
    assertThat(record.isIntact(Key.of("l"))).isFalse();
  }

  @Test
  void anyFlippedBitIsNoticed() {
    byte[] value = new byte[1 + random.nextInt(2000)];
    random.nextBytes(value);
    Mutation put = put(value);
    for (int i = 0; i < 1000; i++) {
      int bit = random.nextInt(8 * value.length);
      value[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(put.isIntact()).as("seed %d, bit %d", seed, bit).isFalse();
      value[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertThat(put.isIntact()).isTrue();
  }

  @Test
  void aNewVersionDoesNotMakeAWrongValueRight() {
    Mutation put = put(new byte[] {1, 2, 3});
    Version newer = new Version(8, 1);
    assertThat(put.restamped(newer).isIntact()).isTrue();
    assertThat(put.restamped(newer).record().checksum())
        .isEqualTo(Versioned.live(newer, 99, 3, new byte[] {1, 2, 3}).sealed(KEY).checksum());
    put.record().value()[0] ^= 1;
    assertThat(put.restamped(newer).isIntact()).isFalse();
  }

  @Test
  void withoutItsValueItHasTheChecksumOfWhatIsThere() {
    Versioned record = put(new byte[] {1, 2, 3}).record();
    assertThat(record.withoutValue(KEY).checksum()).isEqualTo(record.checksum());
    record.value()[0] ^= 1;
    assertThat(record.withoutValue(KEY).checksum()).isNotEqualTo(record.checksum());
  }

  @Test
  void ofTwoValuesOfOneVersionAllChooseTheSame() {
    Versioned one = put(new byte[] {1}).record();
    Versioned other = put(new byte[] {2}).record();
    assertThat(one.outweighs(other)).isNotEqualTo(other.outweighs(one));
    assertThat(one.outweighs(one)).isFalse();
    Versioned tombstone = Versioned.tombstone(VERSION, 3).sealed(KEY);
    assertThat(tombstone.outweighs(one) || one.outweighs(tombstone)).isFalse();
  }
}
