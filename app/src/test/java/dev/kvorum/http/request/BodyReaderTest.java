package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.deadlines.DeadlineQueue;
import dev.kvorum.seeds.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

class BodyReaderTest {
  private static final int MAX = 10_000;
  private static final int DISCARD_MAX = 5_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong();
  private final List<Runnable> timers = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final DeadlineQueue deadlines =
      new DeadlineQueue(TIMEOUT.toNanos(), nanos::get, this::schedule);

  private void schedule(Runnable task, long delay, TimeUnit unit) {
    timers.add(task);
    delays.add(Duration.of(delay, unit.toChronoUnit()));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  private CompletableFuture<BodyReader.@Nullable Body> begin(Flux<ByteBuf> body) {
    return BodyReader.read(body, new byte[0], -1, MAX, DISCARD_MAX, deadlines).toFuture();
  }

  @Test
  void bodiesThatDoNotEndInTimeFailByOneTimer() {
    Sinks.Many<ByteBuf> stuck = Sinks.many().unicast().onBackpressureBuffer();
    Sinks.Many<ByteBuf> slow = Sinks.many().unicast().onBackpressureBuffer();
    CompletableFuture<BodyReader.@Nullable Body> first = begin(stuck.asFlux());
    begin(Flux.empty()).join();
    nanos.addAndGet(Duration.ofSeconds(4).toNanos());
    CompletableFuture<BodyReader.@Nullable Body> second = begin(slow.asFlux());
    slow.tryEmitNext(Unpooled.wrappedBuffer(new byte[3]));

    pass(Duration.ofSeconds(6));
    assertThat(first).isCompletedExceptionally();
    assertThat(first.exceptionNow()).isInstanceOf(TimeoutException.class);
    assertThat(stuck.tryEmitNext(Unpooled.wrappedBuffer(new byte[1])))
        .isEqualTo(Sinks.EmitResult.FAIL_CANCELLED);
    assertThat(second).isNotDone();
    slow.tryEmitComplete();
    assertThat(Objects.requireNonNull(second.join()).bytes()).hasSize(3);

    pass(Duration.ofSeconds(4));
    assertThat(timers).as("no body is being read").isEmpty();
    assertThat(delays).containsExactly(TIMEOUT, Duration.ofSeconds(4));
    begin(Flux.never());
    assertThat(delays).hasSize(3);
  }

  @Test
  void aBodyThatIsNotWantedAnyLongerIsNotReadOn() {
    Sinks.Many<ByteBuf> body = Sinks.many().unicast().onBackpressureBuffer();
    CompletableFuture<BodyReader.@Nullable Body> read = begin(body.asFlux());
    read.cancel(false);
    assertThat(body.currentSubscriberCount()).isZero();
    pass(TIMEOUT);
    assertThat(timers).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 4097, MAX - 1, MAX})
  void keepsABodyUpToTheLimitHoweverItIsCut(int length) {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    byte[] value = new byte[length];
    random.nextBytes(value);
    for (int round = 0; round < 20; round++) {
      assertThat(read(parts(value, random), length).bytes()).as("seed %d", seed).isEqualTo(value);
      assertThat(read(parts(value, random), -1).bytes()).as("seed %d", seed).isEqualTo(value);
    }
  }

  @Test
  void keepsNothingOfABodyThatIsOneByteTooLong() {
    BodyReader.Body body = read(parts(new byte[MAX + 1], new Random(1)), -1);

    assertThat(body.isTooLarge()).isTrue();
    assertThat(body.droppedBytes()).isPositive();
  }

  @Test
  void stopsReadingWhenTooMuchHasBeenDropped() {
    AtomicInteger read = new AtomicInteger();
    Flux<ByteBuf> endless =
        Flux.generate(sink -> {
          read.addAndGet(1000);
          sink.next(Unpooled.wrappedBuffer(new byte[1000]));
        });

    BodyReader.Body body =
        Objects.requireNonNull(
            BodyReader.read(endless, new byte[0], -1, MAX, DISCARD_MAX, deadlines).block());

    assertThat(body.isTooLarge()).isTrue();
    assertThat(body.droppedBytes()).isGreaterThan(DISCARD_MAX);
    assertThat(read.get()).isLessThanOrEqualTo(MAX + DISCARD_MAX + 1000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, MAX - 1, MAX})
  void aHeadPrecedesTheBodyAndDoesNotCount(int length) {
    byte[] head = {7, 8, 9};
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) 1);
    byte[] whole = Arrays.copyOf(head, head.length + length);
    Arrays.fill(whole, head.length, whole.length, (byte) 1);
    Random random = new Random(length);
    for (int expected : new int[] {-1, length}) {
      assertThat(read(head, parts(value, random), expected).bytes()).isEqualTo(whole);
    }
    List<ByteBuf> more = new ArrayList<>(parts(new byte[MAX], random));
    more.add(Unpooled.wrappedBuffer(new byte[1]));
    assertThat(read(head, more, -1).isTooLarge()).isTrue();
  }

  private BodyReader.Body read(List<ByteBuf> parts, int expected) {
    return read(new byte[0], parts, expected);
  }

  private BodyReader.Body read(byte[] head, List<ByteBuf> parts, int expected) {
    return Objects.requireNonNull(
        BodyReader.read(Flux.fromIterable(parts), head, expected, MAX, DISCARD_MAX, deadlines)
            .block());
  }

  private static List<ByteBuf> parts(byte[] value, Random random) {
    List<ByteBuf> parts = new ArrayList<>();
    int from = 0;
    while (from < value.length) {
      int length = Math.min(value.length - from, random.nextInt(3000));
      parts.add(Unpooled.wrappedBuffer(value, from, length));
      from += length;
    }
    return parts;
  }
}
