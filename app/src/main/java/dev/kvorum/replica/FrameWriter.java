package dev.kvorum.replica;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Collects the frames that one turn of the event loop sends on a connection and writes them at
 * once: one buffer, one system call.
 *
 * <p>A frame is: length of what follows (4 bytes), kind (1), call number (4), body. To be used on
 * the connection's event loop only.
 */
final class FrameWriter implements Runnable {
  static final int LENGTH_BYTES = 4;
  private static final int FIRST_CAPACITY = 4096;

  private final Channel channel;
  private final long bytesMax;
  private ByteBuf out;
  private int frameStart;
  private boolean scheduled;
  private long sentBytes;

  /**
   * A writer for a connection.
   *
   * @param bytesMax bytes that may wait for a slow peer before {@link #isFull}
   */
  FrameWriter(Channel channel, long bytesMax) {
    this.channel = channel;
    this.bytesMax = bytesMax;
    this.out = channel.alloc().directBuffer(FIRST_CAPACITY);
  }

  /** Whether so much waits for a slow peer that nothing should be added but what is owed. */
  boolean isFull() {
    ChannelOutboundBuffer leaving = channel.unsafe().outboundBuffer();
    return leaving == null || out.readableBytes() + leaving.totalPendingWriteBytes() > bytesMax;
  }

  /** Begins a frame; its body goes into the buffer that is returned. */
  ByteBuf begin(byte kind, int call) {
    frameStart = out.writerIndex();
    return out.writeInt(0).writeByte(kind).writeInt(call);
  }

  /** Ends the frame; it leaves at the end of this turn of the loop. */
  void end() {
    out.setInt(frameStart, out.writerIndex() - frameStart - LENGTH_BYTES);
    if (!scheduled) {
      scheduled = true;
      channel.eventLoop().execute(this);
    }
  }

  /** Writes what has been collected. */
  @Override
  public void run() {
    scheduled = false;
    if (!out.isReadable()) {
      return;
    }
    ByteBuf full = out;
    sentBytes += full.readableBytes();
    out = channel.alloc().directBuffer(FIRST_CAPACITY);
    channel.writeAndFlush(full, channel.voidPromise());
  }

  /** Bytes handed to the socket since this was asked last. */
  long takeSentBytes() {
    long sent = sentBytes;
    sentBytes = 0;
    return sent;
  }

  /** Lets the buffer go once the connection is closed. */
  void close() {
    out.release();
    out = Unpooled.EMPTY_BUFFER;
  }
}
