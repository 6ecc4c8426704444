package dev.kvorum.http.request;

import dev.kvorum.data.TypedValue;
import dev.kvorum.http.problem.BadRequestException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/** The media type of a value that a client sends. */
public final class MediaType {
  /** The type that a value without one is returned with. */
  private static final String BYTES = "application/octet-stream";

  /** What curl sends unless told otherwise. */
  private static final String FORM = "application/x-www-form-urlencoded";

  private MediaType() {}

  /**
   * Returns the type to keep; empty if there is none, or one that says nothing about the value.
   *
   * @throws BadRequestException if it cannot be a header of a response
   */
  public static String of(HttpHeaders headers) throws BadRequestException {
    String header = headers.get(HttpHeaderNames.CONTENT_TYPE);
    String type = header == null ? "" : header.strip();
    String lower = type.toLowerCase(Locale.ROOT);
    if (type.isEmpty() || lower.equals(BYTES) || lower.equals(FORM)) {
      return "";
    }
    if (type.length() > TypedValue.TYPE_BYTES_MAX) {
      throw new BadRequestException(
          "invalid-content-type",
          "Content-Type has "
              + type.length()
              + " characters; it may have "
              + TypedValue.TYPE_BYTES_MAX);
    }
    if (!type.chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')) {
      throw new BadRequestException(
          "invalid-content-type", "Content-Type has a character that is not printable ASCII");
    }
    return type;
  }
}
