package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  // An eighth of it for a connection.
  private final OutboundBudget outbound = new OutboundBudget(800);
  private final FrameWriter writer = new FrameWriter(channel, outbound);

  @Test
  void theFramesOfOneTurnLeaveAsOneBuffer() {
    writer.begin((byte) 7, 1).writeByte(42);
    writer.end();
    writer.begin((byte) 8, -2);
    writer.end();
    assertThat(channel.outboundMessages()).isEmpty();
    channel.runPendingTasks();
    ByteBuf out = channel.readOutbound();
    assertThat(out.readInt()).isEqualTo(6);
    assertThat(out.readByte()).isEqualTo((byte) 7);
    assertThat(out.readInt()).isEqualTo(1);
    assertThat(out.readByte()).isEqualTo((byte) 42);
    assertThat(out.readInt()).isEqualTo(5);
    assertThat(out.readByte()).isEqualTo((byte) 8);
    assertThat(out.readInt()).isEqualTo(-2);
    assertThat(out.isReadable()).isFalse();
    assertThat(channel.outboundMessages()).isEmpty();
    out.release();
    writer.close();
  }

  @Test
  void isFullWhenMoreThanItsBoundWaits() {
    writer.begin((byte) 1, 1).writeZero(91);
    writer.end();
    assertThat(writer.isFull()).isFalse();
    writer.begin((byte) 1, 2);
    writer.end();
    assertThat(writer.isFull()).isTrue();
    channel.runPendingTasks();
    assertThat(writer.isFull()).isFalse();
    ((ByteBuf) channel.readOutbound()).release();
    writer.close();
  }

  /** A channel of which nothing leaves before its first handler is removed. */
  private static EmbeddedChannel slow() {
    return new EmbeddedChannel(
        new ChannelOutboundHandlerAdapter() {
          @Override
          public void write(ChannelHandlerContext context, Object message, ChannelPromise p) {
            context.write(message, p);
          }

          @Override
          public void flush(ChannelHandlerContext context) {}
        });
  }

  @Test
  void peersWithABacklogShareOneBound() {
    OutboundBudget all = new OutboundBudget(8L * 4 * FrameWriter.UNCOUNTED);
    List<FrameWriter> slow = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      EmbeddedChannel peer = slow();
      FrameWriter waiting = new FrameWriter(peer, all);
      waiting.begin((byte) 1, 1).writeZero(2 * FrameWriter.UNCOUNTED);
      waiting.end();
      peer.runPendingTasks();
      slow.add(waiting);
    }
    assertThat(slow).as("none has more than its own share").allMatch(FrameWriter::isFull);
    FrameWriter fast = new FrameWriter(channel, all);
    fast.begin((byte) 1, 1).writeZero(100);
    fast.end();
    assertThat(fast.isFull()).as("who has no backlog may send").isFalse();
    fast.close();
    slow.subList(0, 16).forEach(FrameWriter::close);
    assertThat(slow.subList(16, 24)).noneMatch(FrameWriter::isFull);
    slow.subList(16, 24).forEach(FrameWriter::close);
    assertThat(all.bytes()).isZero();
    writer.close();
  }

  @Test
  void aFrameThatCouldNotBeFinishedIsNotSent() {
    writer.begin((byte) 7, 1).writeByte(42);
    writer.end();
    writer.begin((byte) 8, 2).writeByte(43);
    writer.begin((byte) 9, 3);
    writer.end();
    writer.begin((byte) 8, 4).writeByte(44);
    channel.runPendingTasks();
    ByteBuf out = channel.readOutbound();
    assertThat(out.readableBytes()).isEqualTo(4 + 6 + 4 + 5);
    assertThat(out.getByte(4 + 6 + 4)).isEqualTo((byte) 9);
    out.release();
    writer.close();
  }

  @Test
  void isFullWhileAPeerDoesNotTakeWhatWasWritten() {
    EmbeddedChannel slow = slow();
    FrameWriter waiting = new FrameWriter(slow, outbound);
    waiting.begin((byte) 1, 1).writeZero(200);
    waiting.end();
    slow.runPendingTasks();
    assertThat(waiting.isFull()).isTrue();
    slow.pipeline().removeFirst();
    slow.flush();
    assertThat(waiting.isFull()).isFalse();
    ((ByteBuf) slow.readOutbound()).release();
    waiting.close();
  }

  @Test
  void isFullOnceTheConnectionIsClosed() {
    assertThat(writer.isFull()).isFalse();
    channel.close();
    assertThat(writer.isFull()).isTrue();
    writer.close();
  }

  @Test
  void closingLetsUnsentFramesGo() {
    ByteBuf unsent = writer.begin((byte) 1, 1);
    writer.end();
    assertThat(unsent.refCnt()).isEqualTo(1);
    writer.close();
    assertThat(unsent.refCnt()).isZero();
    channel.runPendingTasks();
    assertThat(channel.outboundMessages()).isEmpty();
  }
}
