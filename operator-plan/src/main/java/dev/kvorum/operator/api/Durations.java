package dev.kvorum.operator.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in specs. */
public final class Durations {
  private static final Pattern LONG = Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?");
  private static final Pattern SHORT = Pattern.compile("(\\d+)(us|ms|s)");

  private Durations() {}

  /**
   * The seconds of a text such as 90s or 1h30m.
   *
   * @throws IllegalArgumentException for any other
   */
  public static long seconds(String text) {
    Matcher parts = LONG.matcher(text);
    if (text.isEmpty() || !parts.matches()) {
      throw new IllegalArgumentException("not a duration: " + text);
    }
    return 3600 * number(parts, 1) + 60 * number(parts, 2) + number(parts, 3);
  }

  private static long number(Matcher parts, int group) {
    return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
  }

  /**
   * The microseconds of a text such as 500us, 50ms or 1s.
   *
   * @throws IllegalArgumentException for any other
   */
  public static double micros(String text) {
    Matcher parts = SHORT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a latency: " + text);
    }
    double value = Double.parseDouble(parts.group(1));
    return switch (parts.group(2)) {
      case "us" -> value;
      case "ms" -> value * 1000;
      default -> value * 1_000_000;
    };
  }
}
