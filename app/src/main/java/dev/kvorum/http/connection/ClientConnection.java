package dev.kvorum.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * A client's connection, which counts for how many sweeps it has been idle: without a request to
 * answer, or with an answer that the client does not take.
 *
 * <p>What counts is complete requests, not bytes: a client that sends its header a byte at a time
 * is as idle as one that sends nothing. How long a value may take is the body timeout's business.
 */
final class ClientConnection extends ChannelDuplexHandler {
  private final Channel channel;
  private int owed;
  private int quietSweeps;
  private long lastLeaving;

  ClientConnection(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      owed++;
    }
    context.fireChannelRead(message);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise was given to us
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent && !isInterim(message)) {
      // Refused content of a request that is answered already gets an answer of its own.
      owed = Math.max(0, owed - 1);
      quietSweeps = 0;
    }
    context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  /** Requests that have come and have no answer yet; to be called on the loop. */
  int owed() {
    return owed;
  }

  /** Of what waits to be sent on a channel, a number that changes when any of it leaves; or 0. */
  static long leaving(Channel channel) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() * 31 + buffer.currentProgress();
  }

  /** Counts a sweep; to be called on the loop. Returns how many in a row found it idle. */
  int sweep() {
    long leaving = leaving(channel);
    boolean busy = leaving == 0 ? owed > 0 : leaving != lastLeaving;
    lastLeaving = leaving;
    quietSweeps = busy ? 0 : quietSweeps + 1;
    return quietSweeps;
  }

  void close() {
    channel.close();
  }
}
