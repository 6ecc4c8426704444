package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.seeds.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final int STRANGERS_MAX = FrameReader.HANDSHAKE_BYTES_MAX;

  private final FrameReader reader = new FrameReader();
  private final EmbeddedChannel channel = new EmbeddedChannel(reader);

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf frame(int length) {
    return Unpooled.buffer().writeInt(length).writeZero(length);
  }

  private List<Integer> lengths() {
    List<Integer> lengths = new ArrayList<>();
    for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
      lengths.add(frame.readableBytes());
      frame.release();
    }
    return lengths;
  }

  @Test
  void findsTheFramesHoweverTheBytesCome() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    List<Integer> sent = new ArrayList<>();
    ByteBuf bytes = Unpooled.buffer();
    for (int i = 0; i < 50; i++) {
      int length = random.nextInt(300);
      sent.add(length);
      bytes.writeInt(length).writeZero(length);
    }
    while (bytes.isReadable()) {
      channel.writeInbound(
          bytes.readRetainedSlice(Math.min(bytes.readableBytes(), 1 + random.nextInt(500))));
    }
    bytes.release();
    assertThat(lengths()).as("seed %d", seed).isEqualTo(sent);
  }

  @Test
  void takesNoMoreThanAHandshakeFromAStranger() {
    channel.writeInbound(frame(STRANGERS_MAX));
    assertThat(lengths()).containsExactly(STRANGERS_MAX);
    ByteBuf onlyTheLength = Unpooled.buffer().writeInt(STRANGERS_MAX + 1);
    assertThatThrownBy(() -> channel.writeInbound(onlyTheLength))
        .isInstanceOf(TooLongFrameException.class)
        .hasMessageContaining(STRANGERS_MAX + 1 + " bytes");
  }

  @Test
  void acceptsWholeFramesAfterTheHandshake() {
    int max = 5 * STRANGERS_MAX;
    reader.expectUpTo(max);
    channel.writeInbound(frame(max));
    assertThat(lengths()).containsExactly(max);
    for (int length : new int[] {max + 1, Integer.MAX_VALUE, -1}) {
      assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeInt(length)))
          .as("length %d", length)
          .isInstanceOf(TooLongFrameException.class);
    }
  }

  @Test
  void logsOnceThatAFrameIsTooLong() {
    assertThatThrownBy(() -> channel.writeInbound(frame(STRANGERS_MAX + 1)))
        .isInstanceOf(TooLongFrameException.class);
    assertThat(channel.finish()).as("nothing is left of it").isFalse();
  }
}
