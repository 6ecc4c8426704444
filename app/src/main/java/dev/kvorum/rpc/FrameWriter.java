package dev.kvorum.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Collects the frames that one turn of the event loop sends on a connection, and writes them at
 * once: one buffer, one system call.
 *
 * <p>A frame consists of the length of what follows (4 bytes), the kind (1), the call number (4)
 * and the body. Confined to the connection's event loop.
 */
final class FrameWriter implements Runnable {
  static final int LENGTH_BYTES = 4;
  private static final int FIRST_CAPACITY = 4096;

  /** Smaller changes of a backlog, in bytes, are not counted: most turns stay below. */
  static final int UNCOUNTED = 64 << 10;

  private final Channel channel;
  private final OutboundBudget outbound;
  private ByteBuf out;
  private int frameStart;
  private boolean begun;
  private long counted;
  private boolean scheduled;
  private long sentBytes;

  /**
   * Creates a writer for a connection.
   *
   * @param outbound limits the bytes that may wait for a slow peer; see {@link #isFull}
   */
  FrameWriter(Channel channel, OutboundBudget outbound) {
    this.channel = channel;
    this.outbound = outbound;
    this.out = channel.alloc().directBuffer(FIRST_CAPACITY);
  }

  /** Returns whether so many bytes wait for a slow peer that only owed replies may be added. */
  boolean isFull() {
    assert channel.eventLoop().inEventLoop();
    ChannelOutboundBuffer leaving = channel.unsafe().outboundBuffer();
    if (leaving == null) {
      return true;
    }
    long waiting = out.readableBytes() + leaving.totalPendingWriteBytes();
    count(waiting);
    return waiting > outbound.connectionMax() || (counted > 0 && outbound.isFull());
  }

  private void count(long waiting) {
    if (waiting != counted && (waiting == 0 || Math.abs(waiting - counted) > UNCOUNTED)) {
      outbound.grew(waiting - counted);
      counted = waiting;
    }
  }

  /** Begins a frame and returns the buffer for its body. */
  ByteBuf begin(byte kind, int call) {
    assert channel.eventLoop().inEventLoop();
    dropUnfinished();
    begun = true;
    frameStart = out.writerIndex();
    return out.writeInt(0).writeByte(kind).writeInt(call);
  }

  /** Ends the frame, which is sent at the end of this turn of the loop. */
  void end() {
    assert channel.eventLoop().inEventLoop();
    begun = false;
    out.setInt(frameStart, out.writerIndex() - frameStart - LENGTH_BYTES);
    if (!scheduled) {
      scheduled = true;
      channel.eventLoop().execute(this);
    }
  }

  /**
   * Drops a frame that could not be completed for lack of memory, so that no part of it is sent.
   */
  private void dropUnfinished() {
    if (begun) {
      begun = false;
      out.writerIndex(frameStart);
    }
  }

  /** Writes the collected frames. */
  @Override
  public void run() {
    scheduled = false;
    dropUnfinished();
    if (!out.isReadable()) {
      return;
    }
    ByteBuf next = channel.alloc().directBuffer(FIRST_CAPACITY);
    ByteBuf full = out;
    sentBytes += full.readableBytes();
    out = next;
    channel.writeAndFlush(full, channel.voidPromise());
    ChannelOutboundBuffer leaving = channel.unsafe().outboundBuffer();
    count(leaving == null ? 0 : leaving.totalPendingWriteBytes());
  }

  /** Bytes handed to the socket since the last call. */
  long takeSentBytes() {
    long sent = sentBytes;
    sentBytes = 0;
    return sent;
  }

  /** Releases the buffer after the connection has closed. */
  void close() {
    count(0);
    out.release();
    out = Unpooled.EMPTY_BUFFER;
  }
}
