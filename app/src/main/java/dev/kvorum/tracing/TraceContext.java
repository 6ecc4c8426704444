package dev.kvorum.tracing;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A position in a trace, as W3C Trace Context, level 1, carries it in the header {@code
 * traceparent}.
 *
 * @param traceIdHigh first 64 bits of the trace's id
 * @param traceIdLow the other 64 bits; not both are 0
 * @param spanId id of the parent of new spans; not 0
 * @param sampled whether the sender records the trace
 */
public record TraceContext(long traceIdHigh, long traceIdLow, long spanId, boolean sampled) {
  /** Name of the header. */
  public static final String HEADER = "traceparent";

  private static final HexFormat HEX = HexFormat.of();
  private static final int TRACE_ID_AT = 3;
  private static final int SPAN_ID_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final int LENGTH = 55;
  private static final int LONG_DIGITS = 16;
  private static final int SAMPLED = 1;

  public TraceContext {
    if ((traceIdHigh | traceIdLow) == 0 || spanId == 0) {
      throw new IllegalArgumentException("an id of a trace or span is all zeros");
    }
  }

  /**
   * Parses a header's value.
   *
   * @return null if there is none, or if it violates the standard
   */
  public static @Nullable TraceContext parse(@Nullable String header) {
    if (header == null || !isWellFormed(header)) {
      return null;
    }
    long high = number(header, TRACE_ID_AT, LONG_DIGITS);
    long low = number(header, TRACE_ID_AT + LONG_DIGITS, LONG_DIGITS);
    long span = number(header, SPAN_ID_AT, LONG_DIGITS);
    boolean sampled = (number(header, FLAGS_AT, 2) & SAMPLED) != 0;
    return (high | low) == 0 || span == 0 ? null : new TraceContext(high, low, span, sampled);
  }

  private static boolean isWellFormed(String header) {
    return header.length() >= LENGTH
        && isHex(header, 0, 2)
        && header.charAt(2) == '-'
        && isHex(header, TRACE_ID_AT, 2 * LONG_DIGITS)
        && header.charAt(SPAN_ID_AT - 1) == '-'
        && isHex(header, SPAN_ID_AT, LONG_DIGITS)
        && header.charAt(FLAGS_AT - 1) == '-'
        && isHex(header, FLAGS_AT, 2)
        && !header.startsWith("ff")
        // Later versions may have further fields behind these four.
        && (header.length() == LENGTH
            || (!header.startsWith("00") && header.charAt(LENGTH) == '-'));
  }

  /** Returns whether these are hexadecimal digits of the standard, which excludes capitals. */
  private static boolean isHex(String text, int from, int count) {
    for (int i = from; i < from + count; i++) {
      char digit = text.charAt(i);
      if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
        return false;
      }
    }
    return true;
  }

  private static long number(String text, int from, int count) {
    return HexFormat.fromHexDigitsToLong(text, from, from + count);
  }

  /** The trace's id, 32 hexadecimal digits. */
  public String traceId() {
    return HEX.toHexDigits(traceIdHigh) + HEX.toHexDigits(traceIdLow);
  }

  /** The value of the header. */
  @Override
  public String toString() {
    return "00-" + traceId() + '-' + HEX.toHexDigits(spanId) + (sampled ? "-01" : "-00");
  }
}
