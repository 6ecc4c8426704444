package dev.kvorum.settings;

import java.time.Duration;

/** Checks of settings against their bounds. The message of each failure names the setting. */
public final class Bounds {
  private Bounds() {}

  /** Requires a number from {@code min} to {@code max}. */
  public static void between(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be " + min + " to " + max);
    }
  }

  /** Requires a size from {@code min} to {@code max} bytes. */
  public static void bytes(String name, long value, long min, long max) {
    between(name + " in bytes", value, min, max);
  }

  /** Requires a duration from {@code min} to {@code max}. */
  public static void between(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be " + min + " to " + max);
    }
  }

  /** Requires a duration of more than 0. */
  public static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be more than 0");
    }
  }

  /** Requires a duration of more than that of another setting. */
  public static void longer(String name, Duration value, String otherName, Duration other) {
    if (value.compareTo(other) <= 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be more than " + otherName + ", " + other);
    }
  }
}
