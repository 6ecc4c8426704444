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
 * Tracks for how many sweeps a client's connection has been idle. It is idle without a request in
 * flight, or if the client does not read a pending response.
 *
 * <p>Only complete requests count, not bytes: a client that sends its header one byte at a time is
 * idle. The body timeout limits the time for sending a value.
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
  @SuppressWarnings("FutureReturnValueIgnored") // the caller handles the promise
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent && !isInterim(message)) {
      // A rejected body of an answered request may cause a second response.
      owed = Math.max(0, owed - 1);
      quietSweeps = 0;
    }
    context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  /** Number of requests without a response; call it on the event loop. */
  int owed() {
    return owed;
  }

  /** A number that changes whenever pending bytes of a channel are sent; 0 if none are pending. */
  static long leaving(Channel channel) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() * 31 + buffer.currentProgress();
  }

  /**
   * Counts a sweep; call it on the event loop. Returns how many consecutive sweeps found the
   * connection idle.
   */
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
