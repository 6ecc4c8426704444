package dev.kvorum.http;

import dev.kvorum.data.Key;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request for one key.
 *
 * @param ack as given, or null
 * @param from as given, or null
 * @param ttlMillis as given, or null
 */
record EntityQuery(
    Key key, @Nullable Integer ack, @Nullable Integer from, @Nullable Long ttlMillis) {

  private static final String PATH = "/v0/entity";

  /** Whether a request's URI is for one key. */
  static boolean matches(String uri) {
    int start = pathStart(uri);
    int end = start + PATH.length();
    return uri.startsWith(PATH, start) && (uri.length() == end || uri.charAt(end) == '?');
  }

  /** 0, or the end of scheme and authority in the form that proxies are sent (RFC 9112, 3.2.2). */
  private static int pathStart(String uri) {
    int authority =
        uri.regionMatches(true, 0, "http://", 0, 7)
            ? 7
            : uri.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    int path = uri.indexOf('/', authority);
    int query = uri.indexOf('?');
    return authority > 0 && path > authority && (query < 0 || query > path) ? path : 0;
  }

  /**
   * Reads the parameters of a matching URI.
   *
   * @throws BadRequestException for whatever is missing, given twice, unknown or out of range
   */
  static EntityQuery parse(String uri) throws BadRequestException {
    Key key = null;
    Integer ack = null;
    Integer from = null;
    Long ttl = null;
    int fragment = uri.indexOf('#');
    int end = fragment < 0 ? uri.length() : fragment;
    int start = pathStart(uri) + PATH.length() + 1;
    while (start < end) {
      int next = uri.indexOf('&', start);
      int stop = next < 0 || next > end ? end : next;
      int equals = uri.indexOf('=', start);
      int nameEnd = equals < 0 || equals > stop ? stop : equals;
      int value = Math.min(nameEnd + 1, stop);
      String name = uri.substring(start, nameEnd);
      switch (name) {
        case "" -> {}
        case "id" -> key = once(name, key, id(uri, value, stop));
        case "ack" -> ack = once(name, ack, (int) number(name, uri, value, stop));
        case "from" -> from = once(name, from, (int) number(name, uri, value, stop));
        case "ttl" -> ttl = once(name, ttl, ttl(uri, value, stop));
        default ->
            throw new BadRequestException(
                "unknown-parameter",
                "'" + name + "' is no parameter; there are id, ack, from and ttl");
      }
      start = stop + 1;
    }
    if (key == null) {
      throw new BadRequestException("missing-id", "give the key: " + PATH + "?id=KEY");
    }
    return new EntityQuery(key, ack, from, ttl);
  }

  private static <T> T once(String name, @Nullable T before, T value) throws BadRequestException {
    if (before != null) {
      throw new BadRequestException("repeated-parameter", "'" + name + "' is given twice");
    }
    return value;
  }

  private static Key id(String uri, int start, int end) throws BadRequestException {
    byte[] bytes = QueryDecoder.decode(uri, start, end);
    if (bytes.length == 0) {
      throw new BadRequestException("missing-id", "the key is empty; give 1 to 1024 bytes");
    }
    if (bytes.length > Key.BYTES_MAX) {
      throw new BadRequestException(
          "key-too-long",
          "the key has " + bytes.length + " bytes; at most " + Key.BYTES_MAX + " are allowed");
    }
    return Key.ofBytes(bytes);
  }

  private static long ttl(String uri, int start, int end) throws BadRequestException {
    long ttl = number("ttl", uri, start, end);
    if (ttl <= 0) {
      throw new BadRequestException(
          "invalid-ttl", "ttl is " + ttl + "; it must be at least 1 millisecond");
    }
    return ttl;
  }

  private static long number(String name, String uri, int start, int end)
      throws BadRequestException {
    byte[] bytes = QueryDecoder.decode(uri, start, end);
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      // As Latin-1, in which 0 to 9 are the only digits.
      long number = Long.parseLong(new String(bytes, StandardCharsets.ISO_8859_1));
      // A century of milliseconds; far more than any sensible quorum or time to live.
      if (Math.abs(number) > 3_200_000_000_000L
          || (!name.equals("ttl") && number != (int) number)) {
        throw new BadRequestException("invalid-number", name + "=" + text + " is out of range");
      }
      return number;
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "invalid-number", name + "='" + text + "' is not a whole number");
    }
  }
}
