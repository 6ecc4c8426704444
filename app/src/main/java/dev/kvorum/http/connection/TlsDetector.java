package dev.kvorum.http.connection;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.security.ServerTls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tells TLS from plain HTTP by the first byte of a connection. */
final class TlsDetector extends ByteToMessageDecoder {
  /** Content type of a TLS record with a handshake; no method of HTTP begins so (RFC 8446, 5.1). */
  private static final int HANDSHAKE = 22;

  private final ServerTls tls;
  private final boolean isRequired;

  TlsDetector(ServerTls tls, boolean isRequired) {
    this.tls = tls;
    this.isRequired = isRequired;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.getUnsignedByte(in.readerIndex()) == HANDSHAKE) {
      SslHandler secured = tls.handler(context.alloc());
      if (secured == null) {
        in.skipBytes(in.readableBytes());
        context.close();
      } else {
        // What has been read goes on to the handler that takes this one's place.
        context.pipeline().replace(this, context.name(), secured);
      }
    } else if (isRequired) {
      in.skipBytes(in.readableBytes());
      context.writeAndFlush(rejection()).addListener(ChannelFutureListener.CLOSE);
    } else {
      context.pipeline().remove(this);
    }
  }

  private static ByteBuf rejection() {
    Problem problem = Problems.TLS_REQUIRED;
    String head =
        "HTTP/1.1 400 Bad Request\r\ncontent-type: %s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            .formatted(Problem.MEDIA_TYPE, problem.json().length);
    return Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), problem.json());
  }
}
