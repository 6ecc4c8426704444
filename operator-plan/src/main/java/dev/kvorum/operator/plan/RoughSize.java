package dev.kvorum.operator.plan;

/**
 * Rounds a number of bytes down to one digit, so that the text changes nine times while the number
 * grows tenfold.
 */
final class RoughSize {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private RoughSize() {}

  static String of(long bytes) {
    if (bytes < MIB) {
      return "less than 1 MiB";
    }
    return bytes < GIB ? down(bytes / MIB) + " MiB" : down(bytes / GIB) + " GiB";
  }

  private static long down(long number) {
    long step = 1;
    while (number / step >= 10) {
      step *= 10;
    }
    return number / step * step;
  }
}
