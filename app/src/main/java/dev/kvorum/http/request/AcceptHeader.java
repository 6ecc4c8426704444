package dev.kvorum.http.request;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** A client's preferences from its {@code Accept} headers (RFC 9110, 12.4.2). */
public final class AcceptHeader {
  private static final double NOT_NAMED = -1;

  private AcceptHeader() {}

  /** Returns whether the client prefers JSON to plain bytes, or accepts both equally. */
  public static boolean wantsJsonLines(HttpHeaders headers) {
    String accept = all(headers, HttpHeaderNames.ACCEPT);
    double lines = quality(accept, AcceptHeader::isJson);
    return lines > 0 && lines >= ofBytes(accept);
  }

  /** Returns whether the client accepts plain bytes, as it does without an {@code Accept}. */
  public static boolean takesBytes(HttpHeaders headers) {
    String accept = all(headers, HttpHeaderNames.ACCEPT);
    return accept.isBlank() || ofBytes(accept) > 0;
  }

  private static boolean isJson(String type) {
    return type.equals("application/json")
        || type.equals("application/jsonl")
        || type.endsWith("ndjson");
  }

  /** The most specific name counts. */
  private static double ofBytes(String accept) {
    for (String name : List.of("application/octet-stream", "application/*", "*/*")) {
      double quality = quality(accept, name::equals);
      if (quality != NOT_NAMED) {
        return quality;
      }
    }
    return NOT_NAMED;
  }

  /** Returns whether the client prefers gzip to no compression, or accepts both equally. */
  public static boolean wantsGzip(HttpHeaders headers) {
    String accept = all(headers, HttpHeaderNames.ACCEPT_ENCODING);
    double gzip = quality(accept, Set.of("gzip", "x-gzip")::contains);
    return gzip > 0 && gzip >= quality(accept, "identity"::equals);
  }

  /** All lines of a header as one list; empty if the header is missing. */
  public static String all(HttpHeaders headers, CharSequence name) {
    return String.join(",", headers.getAll(name));
  }

  /** The greatest of those of the names. */
  private static double quality(String list, Predicate<String> names) {
    double greatest = NOT_NAMED;
    for (String item : list.split(",", -1)) {
      String[] parts = item.split(";", -1);
      if (names.test(parts[0].strip().toLowerCase(Locale.ROOT))) {
        greatest = Math.max(greatest, quality(parts));
      }
    }
    return greatest;
  }

  private static double quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
        try {
          return Double.parseDouble(parameter.substring(2).strip());
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }
}
