package dev.kvorum.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The handshakes of one port. They compute apart from event loops, since a signature takes a
 * hundred times as long as a request. One more than their bound is rejected, which ends its
 * connection.
 */
final class TlsHandshakes implements Executor, AutoCloseable {
  private static final int THREADS = 2;

  private final ThreadPoolExecutor pool;
  private final Duration timeout;
  private final LongAdder failed = new LongAdder();
  private final LongAdder rejected = new LongAdder();

  /**
   * Creates threads that start with the first handshake.
   *
   * @param port name of the port, for the names of the threads
   * @param waitingMax handshakes that may wait for a thread
   * @param timeout longest duration of one
   */
  TlsHandshakes(String port, int waitingMax, Duration timeout) {
    this.timeout = timeout;
    pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(waitingMax),
            Thread.ofPlatform().daemon().name("kvorum-tls-" + port + "-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /** Returns the handler that secures a connection from its handshake on. */
  SslHandler handler(SslContext context, ByteBufAllocator buffers) {
    SslHandler handler = context.newHandler(buffers, this);
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    handler
        .handshakeFuture()
        .addListener(done -> {
          if (!done.isSuccess()) {
            failed.increment();
          }
        });
    return handler;
  }

  @Override
  public void execute(Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      rejected.increment();
      throw e;
    }
  }

  long failed() {
    return failed.sum();
  }

  long rejected() {
    return rejected.sum();
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
