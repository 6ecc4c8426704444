package dev.kvorum.config;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** Checks of settings against their bounds; the message names the setting. */
final class Bounds {
  private Bounds() {}

  static void between(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be " + min + " to " + max);
    }
  }

  static void bytes(String name, DataSize value, long min, long max) {
    between(name + " in bytes", value.toBytes(), min, max);
  }

  static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be more than 0");
    }
  }

  static void longer(String name, Duration value, String otherName, Duration other) {
    if (value.compareTo(other) <= 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be more than " + otherName + ", " + other);
    }
  }
}
