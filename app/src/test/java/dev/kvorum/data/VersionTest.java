package dev.kvorum.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvorum.seeds.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void ordersByStampThenByWriterUnsigned() {
    assertThat(new Version(2, 0)).isGreaterThan(new Version(1, -1));
    assertThat(new Version(1, -1)).isGreaterThan(new Version(1, 1));
    assertThat(new Version(1, 1)).isEqualByComparingTo(new Version(1, 1));
    assertThat(new Version(1, 1).isNewerThan(new Version(1, 1))).isFalse();
    assertThat(new Version(1, 2).isNewerThan(new Version(1, 1))).isTrue();
    assertThat(new Version(1, 1).isNewerThan(Version.NONE)).isTrue();
  }

  @Test
  void sortsAsTextAsItSortsAsVersion() {
    long seed = Seeds.seed();
    SplittableRandom random = new SplittableRandom(seed);
    List<Version> versions = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      versions.add(new Version(random.nextLong() >>> random.nextInt(1, 64), random.nextInt()));
    }
    List<Version> byText =
        versions.stream().sorted(Comparator.comparing(Version::toString)).toList();

    assertThat(byText).as("seed %d", seed).isEqualTo(versions.stream().sorted().toList());
  }

  @Test
  void hasTwentyFourHexadecimalDigits() {
    assertThat(new Version(0x1234, -1)).hasToString("0000000000001234ffffffff");
  }

  @Test
  void splitsTheStampIntoMillisecondsAndCounter() {
    assertThat(new Version((5L << 16) + 65_535, 0).millis()).isEqualTo(5);
  }

  @Test
  void rejectsANegativeStamp() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Version(-1, 0));
  }
}
