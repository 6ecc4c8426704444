package dev.kvorum.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.deadlines.DeadlineQueues;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientConnectionTest {
  private static final long PAUSE_MAX_NANOS = 400_000_000;
  private static final long PAUSE_MIN_NANOS = PAUSE_MAX_NANOS / 4;

  private long nanos;
  private int reads;
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Deque<Runnable> timers = new ArrayDeque<>();
  private final ClientConnection connection =
      new ClientConnection(
          channel,
          new DeadlineQueues(() -> nanos, (task, delay, unit) -> timers.add(task)),
          PAUSE_MAX_NANOS);

  ClientConnectionTest() {
    channel
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext context) {
                reads++;
                context.read();
              }
            },
            connection);
  }

  /** Lets time pass and runs what is due by then. */
  private void pass(long moreNanos) {
    nanos += moreNanos;
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  /** How long nothing is read after one more rejection. */
  private long pauseNanos() {
    ask();
    int before = reads;
    ClientConnection.pause(channel);
    channel.writeOutbound(answer(HttpResponseStatus.SERVICE_UNAVAILABLE, 9));
    channel.read();
    long paused = 0;
    while (reads == before) {
      paused += PAUSE_MIN_NANOS;
      pass(PAUSE_MIN_NANOS);
    }
    return paused;
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

  @Test
  void readsNothingDuringAPauseAndWhatWasAskedForAfterIt() {
    ClientConnection.pause(channel);
    ClientConnection.pause(channel);
    channel.read();
    channel.read();
    pass(PAUSE_MIN_NANOS - 1);
    assertThat(reads).isZero();
    pass(1);
    assertThat(reads).isEqualTo(1);
    channel.read();
    assertThat(reads).isEqualTo(2);
    assertThat(timers).isEmpty();
  }

  @Test
  void aPauseDoublesUntilARequestIsServed() {
    assertThat(IntStream.range(0, 4).mapToLong(i -> pauseNanos() / PAUSE_MIN_NANOS))
        .containsExactly(1L, 2L, 4L, 4L);
    ask();
    answer();
    assertThat(pauseNanos()).isEqualTo(PAUSE_MIN_NANOS);
  }

  @Test
  void readsNothingAfterAPauseThatNobodyWantedToReadIn() {
    ClientConnection.pause(channel);
    pass(PAUSE_MIN_NANOS);
    assertThat(reads).isZero();

    ClientConnection.pause(channel);
    channel.read();
    channel.close();
    pass(PAUSE_MAX_NANOS);
    assertThat(reads).isZero();
  }
}
