package dev.kvorum.http;

import dev.kvorum.coordinator.RangePart;
import dev.kvorum.data.Mutation;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Streams the body of one range to a client. It requests the next part when the socket has taken
 * the part before. If the range is incomplete, it closes the connection without sending the last
 * chunk.
 */
final class RangeStream {
  // Checks of a client's progress per idle timeout.
  private static final int CHECKS = 4;

  private final Channel channel;
  private final RangeFormat format;
  private final boolean values;
  private final @Nullable Gzip gzip;
  private final Duration idleTimeout;
  private final Exchange exchange;
  private @Nullable Future<?> checks;
  private boolean writing;
  private long seenLeft;
  private int checksWithoutProgress;

  /**
   * Creates a stream that has sent nothing.
   *
   * @param values whether the records come with their values
   * @param gzip compresses the body; null if it is not compressed, as chunks never are
   * @param idleTimeout longest time in which the client may read nothing of the pending bytes
   */
  RangeStream(
      Channel channel,
      RangeFormat format,
      boolean values,
      @Nullable Gzip gzip,
      Duration idleTimeout,
      Exchange exchange) {
    this.channel = channel;
    this.format = format;
    this.values = values;
    this.gzip = gzip;
    this.idleTimeout = idleTimeout;
    this.exchange = exchange;
  }

  /** Sends all parts. Completes when all are sent, and never if the range is incomplete. */
  Mono<Void> send(Flux<RangePart> parts) {
    long interval = Math.max(1, idleTimeout.toMillis() / CHECKS);
    EventLoop loop = channel.eventLoop();
    // Apart: a periodic task that throws would not run again.
    checks =
        loop.scheduleWithFixedDelay(
            () -> loop.execute(this::look), interval, interval, TimeUnit.MILLISECONDS);
    return parts
        // Prefetch no part: pending parts use memory.
        .concatMap(this::send, 0)
        .then(Mono.defer(this::sendEnd));
  }

  /** Releases the resources; call it once, whatever the outcome. */
  void close() {
    if (checks != null) {
      checks.cancel(false);
    }
    if (gzip != null) {
      gzip.close();
    }
  }

  private Mono<Void> send(RangePart part) {
    return switch (part) {
      case RangePart.Records records -> written(write(records.records()));
      case RangePart.Incomplete incomplete ->
          written(writeReason(Problems.incomplete(incomplete.replies())))
              .then(Mono.defer(() -> abort(incomplete)));
    };
  }

  private ChannelFuture write(List<Mutation> records) {
    if (format == RangeFormat.CHUNKS) {
      ChannelFuture last = channel.newSucceededFuture();
      for (Mutation record : records) {
        ByteBuf chunk = channel.alloc().buffer(format.bytes(record, values));
        format.write(record, values, chunk);
        last = channel.write(chunk);
      }
      return last;
    }
    int bytes = 0;
    for (Mutation record : records) {
      bytes += format.bytes(record, values);
    }
    ByteBuf all = channel.alloc().buffer(bytes);
    for (Mutation record : records) {
      format.write(record, values, all);
    }
    return write(all);
  }

  private ChannelFuture write(ByteBuf plain) {
    if (gzip == null) {
      return channel.write(plain);
    }
    try {
      return channel.write(Unpooled.wrappedBuffer(gzip.pack(plain)));
    } finally {
      plain.release();
    }
  }

  private ChannelFuture writeReason(Problem problem) {
    return format == RangeFormat.JSON_LINES
        ? write(Unpooled.wrappedBuffer(problem.incompleteLine()))
        : channel.newSucceededFuture();
  }

  private Mono<Void> sendEnd() {
    return gzip == null ? Mono.empty() : written(channel.write(Unpooled.wrappedBuffer(gzip.end())));
  }

  /**
   * Closes the connection, so that the client does not take an incomplete body for a complete one.
   */
  private Mono<Void> abort(RangePart.Incomplete incomplete) {
    exchange.truncated(Problems.incomplete(incomplete.replies()));
    channel.close();
    return Mono.never();
  }

  /** Flushes, and completes once the socket has taken all bytes up to a write. */
  private Mono<Void> written(ChannelFuture last) {
    writing = true;
    channel.flush();
    return Mono.create(sink ->
        last.addListener(done -> {
          writing = false;
          if (done.isSuccess()) {
            sink.success();
          } else {
            sink.error(done.cause());
          }
        }));
  }

  private void look() {
    ChannelOutboundBuffer leaving = channel.unsafe().outboundBuffer();
    if (!writing || leaving == null) {
      checksWithoutProgress = 0;
      return;
    }
    // Bytes left of all pending writes; part of the first buffer may have been sent already.
    long left = leaving.totalPendingWriteBytes() - leaving.currentProgress();
    checksWithoutProgress = left == seenLeft ? checksWithoutProgress + 1 : 0;
    seenLeft = left;
    if (checksWithoutProgress >= CHECKS) {
      channel.close();
    }
  }
}
