package dev.kvorum.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FrameWriter writer = new FrameWriter(channel, 100);

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

  @Test
  void isFullWhileAPeerDoesNotTakeWhatWasWritten() {
    EmbeddedChannel slow =
        new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext context, Object message, ChannelPromise p) {
                context.write(message, p);
              }

              @Override
              public void flush(ChannelHandlerContext context) {}
            });
    FrameWriter waiting = new FrameWriter(slow, 100);
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
