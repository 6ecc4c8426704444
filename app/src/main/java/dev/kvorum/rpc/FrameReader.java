package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;

/**
 * Splits received bytes into frames and strips their lengths. Before the handshake, a frame has at
 * most the length of a handshake, so that only admitted members can use the memory of a large
 * frame.
 */
final class FrameReader extends ByteToMessageDecoder {
  /** Longest frame before the handshake, in bytes: names of some hundred members and two more. */
  static final int HANDSHAKE_BYTES_MAX = 1 << 16;

  /**
   * Longest frame after the handshake: a page of the largest legal record and the next key,
   * regardless of this node's own limit for clients. A peer may accept larger values, and those
   * that are stored stay when the limit is lowered.
   */
  static final int BYTES_MAX = Versioned.VALUE_BYTES_MAX + 2 * Key.BYTES_MAX + 256;

  private static final int LENGTH_BYTES = 4;

  private int bytesMax = HANDSHAKE_BYTES_MAX;

  /** Sets the longest accepted frame, from the next one on. */
  void expectUpTo(int frameBytesMax) {
    bytesMax = frameBytesMax;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < LENGTH_BYTES) {
      return;
    }
    long length = in.getUnsignedInt(in.readerIndex());
    if (length > bytesMax) {
      // Skip all bytes, so that none are read again while the connection closes.
      in.skipBytes(in.readableBytes());
      throw new TooLongFrameException(
          "a frame of " + length + " bytes; at most " + bytesMax + " are allowed");
    }
    if (in.readableBytes() - LENGTH_BYTES >= length) {
      in.skipBytes(LENGTH_BYTES);
      out.add(in.readRetainedSlice((int) length));
    }
  }
}
