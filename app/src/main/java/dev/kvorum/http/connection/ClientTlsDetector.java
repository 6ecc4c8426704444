package dev.kvorum.http.connection;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.security.HttpTls;
import dev.kvorum.security.TlsDetector;
import dev.kvorum.security.TlsPort;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import reactor.netty.NettyPipeline;

/** Rejects plain HTTP where TLS is required. */
final class ClientTlsDetector extends TlsDetector {
  /** Time in which a client may read why its plain request was rejected. */
  private static final long LINGER_MILLIS = 1000;

  private final TlsPort<?> port;

  ClientTlsDetector(HttpTls tls) {
    super(tls.mode(), tls::accepting);
    this.port = tls.port();
  }

  @Override
  protected void secured(ChannelHandlerContext context) {
    context
        .pipeline()
        .addBefore(
            NettyPipeline.HttpTrafficHandler,
            "kvorum.age",
            new AgedConnection(port.connectionEndNanos(), port.connectionAge()));
  }

  /**
   * Responds, and closes a while later: closed at once, with bytes that have not been read, the
   * connection would be reset and the response lost.
   */
  @Override
  protected void reject(ChannelHandlerContext context) {
    context
        .writeAndFlush(rejection())
        .addListener(sent -> {
          if (context.channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
          }
        });
    context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static ByteBuf rejection() {
    Problem problem = Problems.TLS_REQUIRED;
    String head =
        "HTTP/1.1 400 Bad Request\r\ncontent-type: %s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            .formatted(Problem.MEDIA_TYPE, problem.json().length);
    return Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), problem.json());
  }
}
