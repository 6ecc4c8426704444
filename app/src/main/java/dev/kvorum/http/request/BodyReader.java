package dev.kvorum.http.request;

import dev.kvorum.deadlines.DeadlineList;
import dev.kvorum.deadlines.DeadlineQueue;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Reads a request's body: keeps it up to a limit, then counts and drops the rest, and stops once
 * too much was dropped or its time has passed. One object instead of the operators collect,
 * takeUntil and timeout, whose timers cost more than a small body. Confined to an event loop.
 */
public final class BodyReader extends DeadlineList.Entry
    implements CoreSubscriber<ByteBuf>, Subscription {
  private static final int GROWTH_MIN = 1024;

  private final CoreSubscriber<? super Body> reader;
  private final DeadlineQueue deadlines;
  private final long bytesMax;
  private final long discardMax;
  private byte[] bytes;
  private int length;
  private long dropped;
  private @Nullable Subscription in;
  private boolean isOver;

  /**
   * A body that has ended, or is too large.
   *
   * @param bytes the head and the complete body, if none of it was dropped
   * @param droppedBytes number of bytes that were dropped
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  public record Body(byte[] bytes, long droppedBytes) {
    public boolean isTooLarge() {
      return droppedBytes > 0;
    }
  }

  private BodyReader(
      CoreSubscriber<? super Body> reader,
      byte[] head,
      long expected,
      long bytesMax,
      long discardMax,
      DeadlineQueue deadlines) {
    this.reader = reader;
    this.deadlines = deadlines;
    this.bytesMax = head.length + bytesMax;
    this.discardMax = discardMax;
    this.bytes = Arrays.copyOf(head, (int) (head.length + Math.max(expected, 0)));
    this.length = head.length;
  }

  /**
   * Reads a body to its end. Fails with a {@link TimeoutException} if that does not come in time.
   *
   * @param head what precedes the body in the result
   * @param expected length of the body in bytes, or -1 when the client sent none
   * @param bytesMax longest body that is kept, in bytes
   * @param discardMax bytes that are read and dropped beyond it before reading stops
   */
  public static Mono<Body> read(
      Publisher<ByteBuf> in,
      byte[] head,
      long expected,
      long bytesMax,
      long discardMax,
      DeadlineQueue deadlines) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Body> reader) {
        in.subscribe(new BodyReader(reader, head, expected, bytesMax, discardMax, deadlines));
      }
    };
  }

  @Override
  public Context currentContext() {
    return reader.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    in = subscription;
    deadlines.add(this);
    reader.onSubscribe(this);
  }

  @Override
  public void request(long any) {
    if (in != null) {
      in.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(ByteBuf part) {
    if (isOver) {
      return;
    }
    append(part);
    if (dropped > discardMax) {
      stop();
      respond();
    }
  }

  @Override
  public void onComplete() {
    if (end()) {
      respond();
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (end()) {
      reader.onError(failure);
    }
  }

  @Override
  protected void expired() {
    stop();
    reader.onError(new TimeoutException("the body did not end in time"));
  }

  @Override
  public void cancel() {
    stop();
  }

  private void stop() {
    if (end() && in != null) {
      in.cancel();
    }
  }

  /** Returns whether it was not over. */
  private boolean end() {
    if (isOver) {
      return false;
    }
    isOver = true;
    leave();
    return true;
  }

  private void respond() {
    byte[] kept = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    reader.onNext(new Body(kept, dropped));
    reader.onComplete();
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
}
