package dev.kvorum.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;

/**
 * Tracks for how many sweeps a client's connection has been idle. It is idle without a request in
 * flight, or if the client does not read a pending response.
 *
 * <p>Only complete requests count, not bytes: a client that sends its header one byte at a time is
 * idle. The body timeout limits the time for sending a value.
 */
final class ClientConnection extends ChannelDuplexHandler {
  private final Channel channel;
  private final OwedResponses owed = new OwedResponses();
  private int quietSweeps;
  private long lastLeaving;

  ClientConnection(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    owed.read(message);
    context.fireChannelRead(message);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the caller handles the promise
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (owed.written(message)) {
      quietSweeps = 0;
    }
    context.write(message, promise);
  }

  /** Number of requests without a response; call it on the event loop. */
  int owed() {
    return owed.count();
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
    boolean busy = leaving == 0 ? owed.count() > 0 : leaving != lastLeaving;
    lastLeaving = leaving;
    quietSweeps = busy ? 0 : quietSweeps + 1;
    return quietSweeps;
  }

  void close() {
    channel.close();
  }
}
