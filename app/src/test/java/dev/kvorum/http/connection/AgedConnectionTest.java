package dev.kvorum.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgedConnectionTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private EmbeddedChannel channel = of(HOUR, HOUR);

  /** A connection of some age when that was bounded. */
  private static EmbeddedChannel of(Duration age, Duration max) {
    return new EmbeddedChannel(
        new AgedConnection(System.nanoTime() + max.toNanos() - age.toNanos(), max));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private FullHttpRequest request() {
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", buffer());
    channel.writeInbound(request);
    return request;
  }

  private static ByteBuf buffer() {
    return Unpooled.buffer(1).writeByte(1);
  }

  /** Answers, and returns whether the response says that it is the last one. */
  private boolean answersLast(HttpResponse response) {
    channel.writeOutbound(response);
    HttpResponse written = channel.readOutbound();
    String connection = written.headers().get(HttpHeaderNames.CONNECTION, "");
    ReferenceCountUtil.release(written);
    return connection.equals("close");
  }

  private static HttpResponse response() {
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, buffer());
  }

  @Test
  void theNextResponseOfAnAgedConnectionIsItsLast() {
    request();
    assertThat(channel.isOpen()).isTrue();
    assertThat(answersLast(response())).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aYoungConnectionIsKept() {
    channel = of(Duration.ZERO, HOUR);
    request();
    assertThat(answersLast(response())).isFalse();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void whatWasPipelinedIsAnsweredFirst() {
    request();
    request();
    assertThat(answersLast(response())).isFalse();
    assertThat(answersLast(response())).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aClientThatKeepsPipeliningIsNotWaitedForForEver() {
    channel = of(HOUR.multipliedBy(2), HOUR);
    request();
    request();
    assertThat(answersLast(response())).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aResponseInPartsIsWrittenToItsEndAndNothingElseIsRead() {
    request();
    HttpResponse interim =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER);
    assertThat(answersLast(interim)).isFalse();
    assertThat(answersLast(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK)))
        .isTrue();
    channel.inboundMessages().forEach(ReferenceCountUtil::release);
    channel.inboundMessages().clear();
    FullHttpRequest late = request();
    assertThat(channel.inboundMessages()).isEmpty();
    assertThat(late.refCnt()).isZero();
    channel.writeOutbound(new DefaultHttpContent(buffer()));
    assertThat(channel.isOpen()).isTrue();
    channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(channel.isOpen()).isFalse();
  }
}
