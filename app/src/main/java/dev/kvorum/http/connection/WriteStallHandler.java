package dev.kvorum.http.connection;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;

/**
 * Closes the connection of a client that stops reading a large response, to free its memory for
 * other requests.
 */
public final class WriteStallHandler implements Runnable {
  private static final int CHECKS = 4;

  private final Channel channel;
  private final long periodMillis;
  private @Nullable Future<?> next;
  private long lastLeaving;
  private int unmoved;

  private WriteStallHandler(Channel channel, Duration longest) {
    this.channel = channel;
    this.periodMillis = Math.max(1, longest.toMillis() / CHECKS);
  }

  /**
   * Watches a connection until the response is sent.
   *
   * @param longest longest time without progress; detection takes up to a quarter longer
   */
  public static void watch(Connection connection, Duration longest) {
    WriteStallHandler taker = new WriteStallHandler(connection.channel(), longest);
    taker.schedule();
    connection.onTerminate().subscribe(nothing -> {}, failure -> taker.end(), taker::end);
  }

  private void schedule() {
    next = channel.eventLoop().schedule(this, periodMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void run() {
    long leaving = ClientConnection.leaving(channel);
    unmoved = leaving != 0 && leaving == lastLeaving ? unmoved + 1 : 0;
    lastLeaving = leaving;
    if (unmoved >= CHECKS) {
      channel.close();
    } else {
      schedule();
    }
  }

  private void end() {
    if (next != null) {
      next.cancel(false);
    }
  }
}
