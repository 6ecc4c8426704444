package dev.kvorum.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientConnectionTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ClientConnection connection = new ClientConnection(channel);

  ClientConnectionTest() {
    channel.pipeline().addLast(connection);
  }

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  private void ask() {
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  private static FullHttpResponse answer(HttpResponseStatus status, int bytes) {
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(new byte[bytes]));
  }

  private void answer() {
    channel.writeOutbound(answer(HttpResponseStatus.OK, 9));
  }

  @Test
  void isIdleFromItsBeginning() {
    assertThat(connection.sweep()).isEqualTo(1);
    assertThat(connection.sweep()).isEqualTo(2);
  }

  @Test
  void isNotIdleWhileARequestWaitsForItsAnswer() {
    connection.sweep();
    ask();
    assertThat(connection.sweep()).isZero();
    assertThat(connection.sweep()).isZero();
    answer();
    assertThat(connection.sweep()).isEqualTo(1);
  }

  @Test
  void countsPipelinedRequestsOneByOne() {
    ask();
    ask();
    answer();
    assertThat(connection.sweep()).isZero();
    answer();
    assertThat(connection.sweep()).isEqualTo(1);
  }

  @Test
  void restartsTheCountAfterAReply() {
    connection.sweep();
    connection.sweep();
    ask();
    answer();
    assertThat(connection.sweep()).isEqualTo(1);
  }

  @Test
  void anAnswerEndsWithItsLastPart() {
    ask();
    channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    assertThat(connection.sweep()).isZero();
    channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(connection.sweep()).isEqualTo(1);
  }

  @Test
  void aCallToContinueIsNoAnswer() {
    ask();
    channel.writeOutbound(answer(HttpResponseStatus.CONTINUE, 0));
    assertThat(connection.sweep()).isZero();
  }

  @Test
  void isIdleWhileItsAnswersAreNotTaken() {
    ask();
    ask();
    channel.write(answer(HttpResponseStatus.OK, 100));
    assertThat(connection.sweep()).as("there is more to send than before").isZero();
    assertThat(connection.sweep()).isEqualTo(1);
    assertThat(connection.sweep()).isEqualTo(2);
    channel.flush();
    assertThat(connection.sweep()).as("it is taken, and one more is owed").isZero();
  }

  @Test
  void anAnswerThatNobodyAskedForDoesNotHideTheNextRequest() {
    answer();
    ask();
    assertThat(connection.sweep()).isZero();
  }
}
