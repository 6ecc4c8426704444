package dev.kvorum.http.request;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;

/** Reads a request's body: keeps it up to a limit, then counts and drops the rest. */
public final class BodyReader {
  private static final int GROWTH_MIN = 1024;

  private final long bytesMax;
  private byte[] bytes;
  private int length;
  private long dropped;

  private BodyReader(byte[] head, long expected, long bytesMax) {
    this.bytesMax = head.length + bytesMax;
    this.bytes = Arrays.copyOf(head, (int) (head.length + Math.max(expected, 0)));
    this.length = head.length;
  }

  /**
   * Reads a body to its end.
   *
   * @param head what precedes the body in the result
   * @param expected length of the body in bytes, or -1 when the client sent none
   * @param bytesMax longest body that is kept, in bytes
   * @param discardMax bytes that are read and dropped beyond it before reading stops
   */
  public static Mono<BodyReader> read(
      ByteBufFlux in, byte[] head, long expected, long bytesMax, long discardMax) {
    if (expected >= 0) {
      return in.collect(() -> new BodyReader(head, expected, bytesMax), BodyReader::append);
    }
    return Mono.defer(() -> {
      BodyReader body = new BodyReader(head, expected, bytesMax);
      return in.doOnNext(body::append)
          .takeUntil(part -> body.dropped > discardMax)
          .then(Mono.just(body));
    });
  }

  private void append(ByteBuf part) {
    int more = part.readableBytes();
    if (dropped > 0 || length + (long) more > bytesMax) {
      dropped += more;
      return;
    }
    if (length + more > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes,
              (int)
                  Math.min(
                      bytesMax, Math.max(length + (long) more, Math.max(GROWTH_MIN, 2L * length))));
    }
    part.readBytes(bytes, length, more);
    length += more;
  }

  public boolean isTooLarge() {
    return dropped > 0;
  }

  /** Number of bytes that were dropped. */
  public long droppedBytes() {
    return dropped;
  }

  /** The head and the complete body. */
  public byte[] bytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
