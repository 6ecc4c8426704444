package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryingObjectStoreTest {
  private static final Duration TOTAL = Duration.ofMinutes(1);

  private final Failing failing = new Failing();
  private final List<Duration> waits = new ArrayList<>();
  private Duration now = Duration.ofDays(1);
  private final RetryingObjectStore store =
      new RetryingObjectStore(failing, TOTAL, this::sleep, () -> now.toNanos(), new Random(1));

  private void sleep(Duration wait) {
    waits.add(wait);
    now = now.plus(wait);
  }

  private static ObjectStoreException failure(Reason reason) {
    return new ObjectStoreException(reason, "failed for the test");
  }

  @Test
  void aTransientFailureIsRepeated() throws IOException {
    failing.failures.add(failure(Reason.UNREACHABLE));
    failing.failures.add(failure(Reason.UNAVAILABLE));

    store.put("a", new byte[1]);

    assertThat(failing.calls).isEqualTo(3);
    assertThat(waits.get(0)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(waits.get(1)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
  }

  @Test
  void allOtherMethodsAreRepeated() throws IOException {
    failing.failures.add(failure(Reason.UNAVAILABLE));
    assertThat(store.delete("a")).isTrue();
    failing.failures.add(failure(Reason.UNAVAILABLE));
    assertThat(store.read("a", 1)).isEmpty();
    failing.failures.add(failure(Reason.UNAVAILABLE));
    store.get("a").close();

    assertThat(waits).hasSize(3);
  }

  @Test
  void itEndsWhenTheTimeHasPassed() {
    failing.last = failure(Reason.UNAVAILABLE);

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.read("a", 1))
        .isSameAs(failing.last);

    Duration waited = waits.stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(waited).isBetween(TOTAL.minus(Duration.ofSeconds(10)), TOTAL);
    assertThat(waits).allMatch(wait -> wait.compareTo(Duration.ofSeconds(10)) <= 0);
    assertThat(waits).anyMatch(wait -> wait.compareTo(Duration.ofSeconds(5)) > 0);
    assertThat(new ArrayList<>(waits.subList(0, 6))).isSorted();
  }

  @Test
  void theTimeOfTheCallsCounts() {
    failing.last = failure(Reason.UNAVAILABLE);
    failing.before = () -> now = now.plus(Duration.ofSeconds(25));

    assertThatExceptionOfType(ObjectStoreException.class).isThrownBy(() -> store.read("a", 1));
    assertThat(failing.calls).isEqualTo(3);
  }

  @Test
  void whatStaysAsItIsIsNotRepeated() {
    List<IOException> others =
        List.of(
            failure(Reason.DENIED),
            failure(Reason.NOT_FOUND),
            failure(Reason.FULL),
            failure(Reason.INVALID),
            new NoSuchObjectException("a"),
            new IOException("the content's"));
    for (IOException other : others) {
      failing.failures.add(other);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> store.put("a", new byte[1]))
          .isSameAs(other);
    }
    assertThat(waits).isEmpty();
  }

  @Test
  void aListingHasEachNameOnce() throws IOException {
    failing.names.addAll(List.of("a", "b", "c", "d"));
    failing.failures.add(failure(Reason.UNAVAILABLE));
    failing.failures.add(failure(Reason.UNAVAILABLE));
    List<String> listed = new ArrayList<>();

    store.list("", object -> listed.add(object.name()));

    assertThat(listed).containsExactly("a", "b", "c", "d");
    assertThat(failing.calls).isEqualTo(3);
  }

  @Test
  void aWaitIsInterrupted() {
    failing.last = failure(Reason.UNAVAILABLE);
    RetryingObjectStore waiting = new RetryingObjectStore(failing, Duration.ofDays(1));
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedIOException.class)
        .isThrownBy(() -> waiting.read("a", 1))
        .withMessageContaining("failed for the test");
    assertThat(Thread.interrupted()).as("remains interrupted").isTrue();
  }

  @Test
  void bothAreClosed() {
    store.close();
    assertThat(failing.closed).isTrue();
  }

  /** Fails as told, at first by the queue. */
  private static final class Failing implements ObjectStore {
    final Deque<IOException> failures = new ArrayDeque<>();
    final List<String> names = new ArrayList<>();
    @Nullable IOException last;
    Runnable before = () -> {};
    int calls;
    boolean closed;

    private void call() throws IOException {
      calls++;
      before.run();
      IOException next = failures.isEmpty() ? last : failures.poll();
      if (next != null) {
        throw next;
      }
    }

    @Override
    public void put(String name, long length, Content content) throws IOException {
      call();
    }

    @Override
    public InputStream get(String name) throws IOException {
      call();
      return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public void list(String prefix, Consumer<StoredObject> each) throws IOException {
      for (int i = 0; i < names.size(); i++) {
        if (i == 2) {
          call();
        }
        each.accept(new StoredObject(names.get(i), 1, Instant.EPOCH));
      }
    }

    @Override
    public boolean delete(String name) throws IOException {
      call();
      return true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
