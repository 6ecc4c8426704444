package dev.kvorum.security;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.function.Function;

/** Tells TLS from a plain connection by its first byte, and rejects the latter if it must. */
public abstract class TlsDetector extends ByteToMessageDecoder {
  /** Content type of a TLS record with a handshake (RFC 8446, 5.1); nothing plain begins so. */
  private static final int HANDSHAKE = 22;

  private final TlsMode mode;
  private final Function<ByteBufAllocator, SslHandler> tls;
  private boolean isRejected;

  protected TlsDetector(TlsMode mode, Function<ByteBufAllocator, SslHandler> tls) {
    this.mode = mode;
    this.tls = tls;
  }

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (isRejected) {
      in.skipBytes(in.readableBytes());
    } else if (in.getUnsignedByte(in.readerIndex()) == HANDSHAKE) {
      // What has been read goes on to the handler that takes this one's place.
      secured(context);
      context.pipeline().replace(this, context.name(), tls.apply(context.alloc()));
    } else if (mode == TlsMode.REQUIRED) {
      isRejected = true;
      in.skipBytes(in.readableBytes());
      reject(context);
    } else {
      permitted(context);
      context.pipeline().remove(this);
    }
  }

  /** Closes a plain connection; called once. What it still sends is dropped. */
  protected abstract void reject(ChannelHandlerContext context);

  /** Called once with a connection that begins with TLS. */
  protected void secured(ChannelHandlerContext context) {}

  /** Called once with a plain connection that goes on. */
  protected void permitted(ChannelHandlerContext context) {}
}
