package dev.kvorum.http.request;

import dev.kvorum.data.TypedValue;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.regex.Pattern;

/** The media type of a value that a client sends (RFC 9110, section 8.3). */
public final class MediaType {
  /** The type that a value without one is returned with. */
  private static final String BYTES = "application/octet-stream";

  /** What curl sends unless told otherwise. */
  private static final String FORM = "application/x-www-form-urlencoded";

  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String QUOTED = "\"(?:[\t !#-\\[\\]-~]|\\\\[\t -~])*\"";
  private static final Pattern TYPE =
      Pattern.compile(
          TOKEN + "/" + TOKEN + "(?:[ \t]*;[ \t]*" + TOKEN + "=(?:" + TOKEN + "|" + QUOTED + "))*");

  private MediaType() {}

  /**
   * Returns the type to keep; empty if there is none, if it says nothing about the value, or if it
   * is none or too long: such a value was stored before types were kept, and still is.
   */
  public static String of(HttpHeaders headers) {
    String header = headers.get(HttpHeaderNames.CONTENT_TYPE);
    if (header == null || header.length() > TypedValue.TYPE_BYTES_MAX) {
      return "";
    }
    String type = header.strip();
    String lower = type.toLowerCase(Locale.ROOT);
    boolean isKept = !lower.equals(BYTES) && !lower.equals(FORM) && TYPE.matcher(type).matches();
    return isKept ? type : "";
  }
}
