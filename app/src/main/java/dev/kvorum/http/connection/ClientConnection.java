package dev.kvorum.http.connection;

import dev.kvorum.deadlines.DeadlineList;
import dev.kvorum.deadlines.DeadlineQueues;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Tracks for how many sweeps a client's connection has been idle, and stops reading from it for a
 * while. It is idle without a request in flight, or if the client does not read a pending response.
 *
 * <p>Only complete requests count, not bytes: a client that sends its header one byte at a time is
 * idle. The body timeout limits the time for sending a value.
 */
public final class ClientConnection extends ChannelDuplexHandler {
  private static final AttributeKey<ClientConnection> OF_CHANNEL =
      AttributeKey.valueOf("kvorum.clientConnection");

  /** How often a pause doubles until it is the longest one. */
  private static final int DOUBLINGS = 2;

  private final Channel channel;
  private final DeadlineQueues pauses;
  private final long pauseMaxNanos;
  private final Pause pause = new Pause();
  private int pausesInARow;
  private final OwedResponses owed = new OwedResponses();
  private @Nullable ChannelHandlerContext postponedRead;
  private int quietSweeps;
  private long lastLeaving;

  /** Ends when reading goes on. */
  private final class Pause extends DeadlineList.Entry {
    boolean isOn() {
      return isListed();
    }

    @Override
    protected void expired() {
      ChannelHandlerContext context = postponedRead;
      postponedRead = null;
      if (context != null && channel.isActive()) {
        context.read();
      }
    }
  }

  /**
   * Creates the handler of a connection.
   *
   * @param pauses those of its event loop
   * @param pauseMaxNanos the longest one, in nanoseconds
   */
  ClientConnection(Channel channel, DeadlineQueues pauses, long pauseMaxNanos) {
    this.channel = channel;
    this.pauses = pauses;
    this.pauseMaxNanos = pauseMaxNanos;
    channel.attr(OF_CHANNEL).set(this);
  }

  /**
   * Reads nothing for a while from the connection of a request that is rejected, so that a client
   * that repeats it at once costs little. The pause doubles with each rejection in a row. Call it
   * on the event loop.
   */
  public static void pause(Channel channel) {
    ClientConnection connection = channel.attr(OF_CHANNEL).get();
    if (connection != null && !connection.pause.isOn()) {
      connection.pause();
    }
  }

  private void pause() {
    int doublings = Math.min(pausesInARow++, DOUBLINGS);
    pauses.add(pause, pauseMaxNanos >> (DOUBLINGS - doublings));
  }

  @Override
  public void read(ChannelHandlerContext context) {
    if (pause.isOn()) {
      postponedRead = context;
    } else {
      context.read();
    }
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
    if (message instanceof HttpResponse response && !isRejection(response)) {
      pausesInARow = 0;
    }
    context.write(message, promise);
  }

  private static boolean isRejection(HttpResponse response) {
    return response.status().code() == HttpResponseStatus.SERVICE_UNAVAILABLE.code();
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
