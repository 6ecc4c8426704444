package dev.kvorum.plugin;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values as users of the API see them. */
final class Words {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Words() {}

  /** {@code SCALING_OUT} is {@code ScalingOut}. */
  static String of(Enum<?> value) {
    return Arrays.stream(value.name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** A size in the unit of which there are at least ten. */
  static String bytes(long bytes) {
    long value = bytes;
    int unit = 0;
    while (value >= 10 << 10 && unit < UNITS.length - 1) {
      value >>= 10;
      unit++;
    }
    return value + " " + UNITS[unit];
  }
}
