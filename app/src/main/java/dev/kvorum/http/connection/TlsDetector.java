package dev.kvorum.http.connection;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.security.ServerTls;
import dev.kvorum.security.TlsMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Tells TLS from plain HTTP by the first byte of a connection. */
final class TlsDetector extends ByteToMessageDecoder {
  /** Content type of a TLS record with a handshake; no method of HTTP begins so (RFC 8446, 5.1). */
  private static final int HANDSHAKE = 22;

  /** Time in which a client may read why its plain request was rejected. */
  private static final long LINGER_MILLIS = 1000;

  private final ServerTls tls;
  private boolean isRejected;

  TlsDetector(ServerTls tls) {
    this.tls = tls;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (isRejected) {
      in.skipBytes(in.readableBytes());
    } else if (in.getUnsignedByte(in.readerIndex()) == HANDSHAKE) {
      // What has been read goes on to the handler that takes this one's place.
      context.pipeline().replace(this, context.name(), tls.handler(context.alloc()));
    } else if (tls.mode() == TlsMode.REQUIRED) {
      isRejected = true;
      in.skipBytes(in.readableBytes());
      reject(context);
    } else {
      context.pipeline().remove(this);
    }
  }

  /**
   * Responds, and closes a while later: closed at once, with bytes that have not been read, the
   * connection would be reset and the response lost.
   */
  private static void reject(ChannelHandlerContext context) {
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
