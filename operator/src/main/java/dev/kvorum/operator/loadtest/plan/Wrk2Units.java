package dev.kvorum.operator.loadtest.plan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Formats numbers as wrk2's console does, to the last digit. wrk2 divides and prints numbers with a
 * 64-bit mantissa (x86's {@code long double}), which decides how a value half-way between two
 * printable ones is rounded. Each quotient is therefore rounded here in the same way.
 */
public final class Wrk2Units {
  private static final int MANTISSA_BITS = 64;

  /** Share of the next unit from which on a value is shown in that unit. */
  private static final double NEXT_UNIT = 0.85;

  private static final String NONE = "-";

  private Wrk2Units() {}

  private enum Unit {
    MICROS("us", "0.000001"),
    MILLIS("ms", "0.001"),
    SECONDS("s", "1"),
    MINUTES("m", "60");

    final String word;
    final BigDecimal seconds;

    Unit(String word, String seconds) {
      this.word = word;
      this.seconds = new BigDecimal(seconds);
    }
  }

  private record Shown(BigDecimal digits, Unit unit) {}

  /** Returns a latency such as 782.00us, 1.04ms, 2.91s or 1.20m; a dash for none. */
  public static String time(double micros) {
    if (!Double.isFinite(micros)) {
      return NONE;
    }
    Shown shown = shown(micros);
    return shown.digits().toPlainString() + shown.unit().word;
  }

  /**
   * Returns the latency in seconds, with no digit that is not shown: 0.00104 for 1.04ms; NaN for
   * none.
   */
  public static double seconds(double micros) {
    if (!Double.isFinite(micros)) {
      return Double.NaN;
    }
    Shown shown = shown(micros);
    return shown.digits().multiply(shown.unit().seconds).doubleValue();
  }

  private static Shown shown(double micros) {
    BigDecimal value = new BigDecimal(micros);
    return micros >= 1_000_000
        ? shown(quotient(value, 1_000_000), 60, Unit.SECONDS, Unit.MINUTES)
        : shown(value, 1000, Unit.MICROS, Unit.MILLIS);
  }

  private static Shown shown(BigDecimal value, long scale, Unit unit, Unit next) {
    return value.compareTo(new BigDecimal(scale * NEXT_UNIT)) >= 0
        ? new Shown(digits(quotient(value, scale)), next)
        : new Shown(digits(value), unit);
  }

  /** Returns a rate as wrk2 prints it after {@code Requests/sec:}; a dash for none. */
  public static String perSecond(long requests, double seconds) {
    return seconds > 0 ? rounded(requests, seconds).toPlainString() : NONE;
  }

  /** Returns the rate as a number, with no digit that is not shown; NaN for none. */
  public static double rate(long requests, double seconds) {
    return seconds > 0 ? rounded(requests, seconds).doubleValue() : Double.NaN;
  }

  private static BigDecimal rounded(long requests, double seconds) {
    return digits(quotient(new BigDecimal(requests), new BigDecimal(seconds)));
  }

  private static BigDecimal digits(BigDecimal value) {
    return value.setScale(2, RoundingMode.HALF_EVEN);
  }

  private static BigDecimal quotient(BigDecimal value, long divisor) {
    return quotient(value, BigDecimal.valueOf(divisor));
  }

  /** Returns the nearest number with such a mantissa; half-way, the even one. */
  private static BigDecimal quotient(BigDecimal value, BigDecimal divisor) {
    if (value.signum() == 0) {
      return value;
    }
    int scale = Math.max(0, Math.max(value.scale(), divisor.scale()));
    BigInteger over = value.setScale(scale).unscaledValue();
    BigInteger under = divisor.setScale(scale).unscaledValue();
    int exponent = over.bitLength() - under.bitLength() - MANTISSA_BITS;
    // Two exponents are possible. With the larger one, the quotient has as many bits as the
    // mantissa.
    if (scaled(over, under, exponent)[0].bitLength() > MANTISSA_BITS) {
      exponent++;
    }
    BigInteger[] parts = scaled(over, under, exponent);
    BigInteger divided = exponent > 0 ? under.shiftLeft(exponent) : under;
    int half = parts[1].shiftLeft(1).compareTo(divided);
    BigInteger mantissa =
        half > 0 || (half == 0 && parts[0].testBit(0)) ? parts[0].add(BigInteger.ONE) : parts[0];
    return exponent >= 0
        ? new BigDecimal(mantissa.shiftLeft(exponent))
        : new BigDecimal(mantissa).divide(new BigDecimal(BigInteger.ONE.shiftLeft(-exponent)));
  }

  private static BigInteger[] scaled(BigInteger over, BigInteger under, int exponent) {
    return exponent > 0
        ? over.divideAndRemainder(under.shiftLeft(exponent))
        : over.shiftLeft(-exponent).divideAndRemainder(under);
  }
}
