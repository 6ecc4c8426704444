package dev.kvorum.security;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.function.Function;

/** Tells TLS from a plain connection by its first byte. */
public abstract class TlsDetector extends ByteToMessageDecoder {
  /** Content type of a TLS record with a handshake (RFC 8446, 5.1); nothing plain begins so. */
  private static final int HANDSHAKE = 22;

  private final Function<ByteBufAllocator, SslHandler> tls;
  private boolean isPlain;

  protected TlsDetector(Function<ByteBufAllocator, SslHandler> tls) {
    this.tls = tls;
  }

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (!isPlain && in.getUnsignedByte(in.readerIndex()) == HANDSHAKE) {
      // What has been read goes on to the handler that takes this one's place.
      context.pipeline().replace(this, context.name(), tls.apply(context.alloc()));
    } else {
      isPlain = true;
      plain(context, in);
    }
  }

  /**
   * Handles bytes of a plain connection. Once this handler is removed, they go on to the next one.
   */
  protected abstract void plain(ChannelHandlerContext context, ByteBuf in);
}
