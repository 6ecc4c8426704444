package dev.kvorum.http.request;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** A client's preferences from its {@code Accept} headers (RFC 9110, 12.4.2). */
public final class AcceptHeader {
  /** The media type of JSON lines. */
  public static final String JSON_LINES = "application/x-ndjson";

  private static final double NOT_NAMED = -1;

  private AcceptHeader() {}

  /** Returns whether the client prefers JSON lines to plain records, or accepts both equally. */
  public static boolean wantsJsonLines(HttpHeaders headers) {
    String accept = all(headers, HttpHeaderNames.ACCEPT);
    double lines = quality(accept, JSON_LINES);
    return lines > 0 && lines >= quality(accept, "application/octet-stream");
  }

  /** Returns whether the client prefers gzip to no compression, or accepts both equally. */
  public static boolean wantsGzip(HttpHeaders headers) {
    String accept = all(headers, HttpHeaderNames.ACCEPT_ENCODING);
    double gzip = Math.max(quality(accept, "gzip"), quality(accept, "x-gzip"));
    return gzip > 0 && gzip >= quality(accept, "identity");
  }

  /** All lines of a header as one list; empty if the header is missing. */
  public static String all(HttpHeaders headers, CharSequence name) {
    return String.join(",", headers.getAll(name));
  }

  private static double quality(String list, String name) {
    for (String item : list.split(",", -1)) {
      String[] parts = item.split(";", -1);
      if (parts[0].strip().equalsIgnoreCase(name)) {
        return quality(parts);
      }
    }
    return NOT_NAMED;
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
