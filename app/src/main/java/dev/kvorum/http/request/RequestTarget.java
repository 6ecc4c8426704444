package dev.kvorum.http.request;

import dev.kvorum.data.Key;
import dev.kvorum.http.problem.BadRequestException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses a request's URI, one parameter at a time. */
final class RequestTarget {
  private final String uri;
  private final int end;
  private int next;
  private String name = "";
  private int valueStart;
  private int valueEnd;

  /** Creates a parser for a URI that {@link #isFor} this path. */
  RequestTarget(String path, String uri) {
    this.uri = uri;
    int fragment = uri.indexOf('#');
    this.end = fragment < 0 ? uri.length() : fragment;
    this.next = pathStart(uri) + path.length() + 1;
  }

  /** Returns whether a URI has exactly this path. */
  static boolean isFor(String path, String uri) {
    int start = pathStart(uri);
    int end = start + path.length();
    return uri.startsWith(path, start) && (uri.length() == end || uri.charAt(end) == '?');
  }

  /**
   * 0, or the end of scheme and authority in the absolute form that proxies receive (RFC 9112,
   * 3.2.2).
   */
  private static int pathStart(String uri) {
    int authority =
        uri.regionMatches(true, 0, "http://", 0, 7)
            ? 7
            : uri.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    int path = uri.indexOf('/', authority);
    int query = uri.indexOf('?');
    return authority > 0 && path > authority && (query < 0 || query > path) ? path : 0;
  }

  /** Advances to the next parameter; returns false when there is none. */
  boolean next() throws BadRequestException {
    while (next < end && uri.charAt(next) == '&') {
      next++;
    }
    if (next >= end) {
      return false;
    }
    int separator = uri.indexOf('&', next);
    int stop = separator < 0 || separator > end ? end : separator;
    int equals = uri.indexOf('=', next);
    int nameEnd = equals < 0 || equals > stop ? stop : equals;
    name = decodedName(next, nameEnd);
    valueStart = Math.min(nameEnd + 1, stop);
    valueEnd = stop;
    next = stop + 1;
    return true;
  }

  private String decodedName(int start, int stop) throws BadRequestException {
    for (int i = start; i < stop; i++) {
      if (uri.charAt(i) == '%' || uri.charAt(i) == '+') {
        return new String(PercentDecoder.decode(uri, start, stop), StandardCharsets.UTF_8);
      }
    }
    return uri.substring(start, stop);
  }

  /** The parameter's name, decoded. */
  String name() {
    return name;
  }

  /** The parameter's value, decoded. */
  byte[] value() throws BadRequestException {
    return PercentDecoder.decode(uri, valueStart, valueEnd);
  }

  /** Returns the value, or rejects the request if the parameter is repeated. */
  <T> T once(@Nullable T before, T value) throws BadRequestException {
    if (before != null) {
      throw new BadRequestException("repeated-parameter", "'" + name + "' is repeated");
    }
    return value;
  }

  /**
   * The value as a key.
   *
   * @param missing name of the problem if the value is empty
   */
  Key key(String missing) throws BadRequestException {
    Key key = keyIfAny();
    if (key == null) {
      throw new BadRequestException(missing, "'" + name + "' is empty; give 1 to 1024 bytes");
    }
    return key;
  }

  /** The value as a key; null if it is empty. */
  @Nullable Key keyIfAny() throws BadRequestException {
    byte[] bytes = value();
    if (bytes.length > Key.BYTES_MAX) {
      throw new BadRequestException(
          "key-too-long",
          "'"
              + name
              + "' has "
              + bytes.length
              + " bytes; at most "
              + Key.BYTES_MAX
              + " are allowed");
    }
    return bytes.length == 0 ? null : Key.ofBytes(bytes);
  }

  /** The value as an integer from {@code min} to {@code max}. */
  long number(long min, long max) throws BadRequestException {
    byte[] bytes = value();
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      // Decoded as Latin-1, in which only 0 to 9 are digits.
      long number = Long.parseLong(new String(bytes, StandardCharsets.ISO_8859_1));
      if (number < min || number > max) {
        throw new BadRequestException("invalid-number", name + "=" + text + " is out of range");
      }
      return number;
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "invalid-number", name + "='" + text + "' is not a whole number");
    }
  }
}
