package dev.kvorum.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.deadlines.DeadlineQueues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StrictHttpHandlerTest {
  private static final String PUT = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n";
  private static final String CHUNKED = PUT + "Transfer-Encoding: chunked\r\n\r\n";
  private static final int DISCARD_MAX = 10;

  private final EmbeddedChannel channel = new EmbeddedChannel();

  StrictHttpHandlerTest() {
    ClientConnection connection =
        new ClientConnection(channel, new DeadlineQueues(() -> 0, (task, delay, unit) -> {}), 0);
    channel
        .pipeline()
        .addLast(new HttpServerCodec(), connection, new StrictHttpHandler(connection, DISCARD_MAX));
  }

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  private void read(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  private void answer() {
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST));
  }

  private String answered() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  private boolean wholeRequestCame() {
    return channel.inboundMessages().stream().anyMatch(LastHttpContent.class::isInstance);
  }

  @Test
  void aBrokenBodyNeverEnds() {
    read(CHUNKED + "5\r\nhello\r\nzz\r\n\r\n");
    assertThat(wholeRequestCame()).isFalse();
    assertThat(answered()).startsWith("HTTP/1.1 400").contains("malformed-request");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aWholeOneDoes() {
    read(CHUNKED + "5\r\nhello\r\n0\r\n\r\n");
    assertThat(wholeRequestCame()).isTrue();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void anAnswerGoesToNoOtherRequest() {
    read("GET / HTTP/1.1\r\nHost: h\r\n\r\n" + CHUNKED + "zz\r\n");
    assertThat(answered()).isEmpty();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aBodyOfAnAnsweredRequestIsDroppedUpToABound() {
    read(PUT + "Content-Length: 100\r\n\r\n");
    answer();
    read("x".repeat(DISCARD_MAX));
    assertThat(channel.isOpen()).isTrue();
    read("x");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aClientThatDisconnectsIsNoFailure() {
    channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
    channel.checkException();
    assertThat(channel.isOpen()).isFalse();
  }
}
