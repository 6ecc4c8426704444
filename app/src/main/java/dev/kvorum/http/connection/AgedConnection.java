package dev.kvorum.http.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Closes a connection of some age with the response to its next request, so that its client has to
 * prove again who it is, and sees the current certificate. Requests that were sent before it could
 * know are answered first, unless it goes on to send them for as long again.
 */
final class AgedConnection extends ChannelDuplexHandler {
  private final long endNanos;
  private final long lastEndNanos;
  private int owed;
  private boolean isLast;
  private boolean isOver;

  /**
   * Creates it for one connection.
   *
   * @param begin when that began, by the process's clock in nanoseconds
   * @param ageMax longest age; a random part of a quarter is left out
   */
  AgedConnection(long begin, Duration ageMax) {
    long nanos = ageMax.toNanos();
    endNanos = begin + nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1);
    lastEndNanos = endNanos + nanos;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      isOver |= isLast;
      owed++;
    }
    if (isOver) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the caller handles the promise
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
        context.write(message, promise);
        return;
      }
      long now = System.nanoTime();
      if ((owed == 1 && now - endNanos >= 0) || now - lastEndNanos >= 0) {
        isLast = true;
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      }
    }
    if (message instanceof LastHttpContent) {
      owed = Math.max(0, owed - 1);
      if (isLast) {
        context.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE);
        return;
      }
    }
    context.write(message, promise);
  }
}
