package dev.kvorum.http.request;

import dev.kvorum.http.problem.BadRequestException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/**
 * Preconditions of HTTP (RFC 9110, section 13): {@code If-None-Match} of a GET or HEAD. Those of
 * writes are not supported.
 */
public final class Preconditions {
  private static final AsciiString[] OF_WRITES = {
    HttpHeaderNames.IF_MATCH, HttpHeaderNames.IF_NONE_MATCH, HttpHeaderNames.IF_UNMODIFIED_SINCE
  };

  private Preconditions() {}

  /** Ignored, a precondition would let a client overwrite what it wanted to keep. */
  public static void reject(HttpHeaders headers) throws BadRequestException {
    for (AsciiString name : OF_WRITES) {
      if (headers.contains(name)) {
        throw new BadRequestException(
            "unsupported-precondition",
            name + " is not supported with PUT and DELETE; nothing was changed");
      }
    }
  }

  /** Returns whether the client of a read has the value with this ETag already. */
  public static boolean isNotModified(HttpHeaders headers, String etag) {
    // Most requests do not have the header.
    return headers.contains(HttpHeaderNames.IF_NONE_MATCH)
        && EntityTag.isIn(AcceptHeader.all(headers, HttpHeaderNames.IF_NONE_MATCH), etag);
  }
}
