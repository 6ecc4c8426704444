package dev.kvorum.http.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;

/**
 * Closes a connection of some age with the response to its next request, so that its client has to
 * prove again who it is, and sees the current certificate. Requests that were sent before it could
 * know get their response first, unless it goes on to send them for as long again.
 */
final class AgedConnection extends ChannelDuplexHandler {
  private final long endNanos;
  private final long lastEndNanos;
  private final OwedResponses owed = new OwedResponses();
  private boolean isLast;
  private boolean isOver;

  /**
   * Creates it for one connection.
   *
   * @param endNanos from when on a response is the last if no other request waits
   * @param ageMax after this time longer, any response is
   */
  AgedConnection(long endNanos, Duration ageMax) {
    this.endNanos = endNanos;
    this.lastEndNanos = endNanos + ageMax.toNanos();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    isOver |= isLast && message instanceof HttpRequest;
    owed.read(message);
    if (isOver) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the caller handles the promise
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response && !OwedResponses.isInterim(response)) {
      long now = System.nanoTime();
      if ((owed.count() == 1 && now - endNanos >= 0) || now - lastEndNanos >= 0) {
        isLast = true;
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      }
    }
    if (owed.written(message) && isLast) {
      context.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context.write(message, promise);
  }
}
