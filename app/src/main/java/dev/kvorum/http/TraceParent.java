package dev.kvorum.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code traceparent} of W3C Trace Context, level 1. */
final class TraceParent {
  static final String HEADER = "traceparent";

  // Later versions may have more behind these four fields.
  private static final Pattern FORMAT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?");
  private static final String NONE = "0".repeat(32);

  private TraceParent() {}

  /** The trace's id, or nothing when the header is missing or not as the standard wants it. */
  static @Nullable String traceId(@Nullable String header) {
    if (header == null) {
      return null;
    }
    Matcher matcher = FORMAT.matcher(header);
    boolean valid = matcher.matches() && (!header.startsWith("00") || matcher.group(3) == null);
    return valid && !matcher.group(1).equals(NONE) ? matcher.group(1) : null;
  }
}
