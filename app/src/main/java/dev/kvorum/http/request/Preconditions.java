package dev.kvorum.http.request;

import dev.kvorum.http.problem.BadRequestException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/**
 * Preconditions that HTTP defines for writes (RFC 9110, section 13), and that are not supported.
 */
public final class Preconditions {
  private static final AsciiString[] NAMES = {
    HttpHeaderNames.IF_MATCH, HttpHeaderNames.IF_NONE_MATCH, HttpHeaderNames.IF_UNMODIFIED_SINCE
  };

  private Preconditions() {}

  /** Ignored, a precondition would let a client overwrite what it wanted to keep. */
  public static void reject(HttpHeaders headers) throws BadRequestException {
    for (AsciiString name : NAMES) {
      if (headers.contains(name)) {
        throw new BadRequestException(
            "unsupported-precondition",
            name + " is not supported with PUT and DELETE; nothing was changed");
      }
    }
  }
}
