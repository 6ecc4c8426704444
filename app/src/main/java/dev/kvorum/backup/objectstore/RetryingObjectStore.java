package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Repeats what fails for a while, with growing and random waits, so that a backup survives a
 * store's restart, and nodes do not return to it in step. A stream of {@link #get} that breaks is
 * the reader's to open again.
 */
public final class RetryingObjectStore implements ObjectStore {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final ObjectStore store;
  private final Duration total;
  private final Sleeper sleeper;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;

  /**
   * @param store closed with this one
   * @param total how long after its beginning a call is still repeated
   */
  public RetryingObjectStore(ObjectStore store, Duration total) {
    this(store, total, Thread::sleep, System::nanoTime, RandomGenerator.getDefault());
  }

  public RetryingObjectStore(
      ObjectStore store,
      Duration total,
      Sleeper sleeper,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.store = store;
    this.total = total;
    this.sleeper = sleeper;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Waits. */
  @FunctionalInterface
  public interface Sleeper {
    void sleep(Duration wait) throws InterruptedException;
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  @Override
  public void put(String name, long length, Content content) throws IOException {
    repeated(() -> {
      store.put(name, length, content);
      return true;
    });
  }

  @Override
  public InputStream get(String name) throws IOException {
    return repeated(() -> store.get(name));
  }

  @Override
  public byte[] read(String name, int bytesMax) throws IOException {
    return repeated(() -> store.read(name, bytesMax));
  }

  /** A repeated listing goes on behind the last name that was passed on. */
  @Override
  public void list(String prefix, Consumer<StoredObject> each) throws IOException {
    Behind behind = new Behind(each);
    repeated(() -> {
      store.list(prefix, behind);
      return true;
    });
  }

  @Override
  public boolean delete(String name) throws IOException {
    return repeated(() -> store.delete(name));
  }

  @Override
  public void close() {
    store.close();
  }

  private <T> T repeated(Call<T> call) throws IOException {
    long begun = nanoTime.getAsLong();
    Duration longest = FIRST;
    while (true) {
      try {
        return call.run();
      } catch (ObjectStoreException e) {
        Duration wait = longest.dividedBy(2).plusNanos(random.nextLong(longest.toNanos() / 2));
        long passed = nanoTime.getAsLong() - begun;
        if (!e.isTransient() || passed + wait.toNanos() > total.toNanos()) {
          throw e;
        }
        sleep(wait, e);
        Duration twice = longest.multipliedBy(2);
        longest = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
      }
    }
  }

  private void sleep(Duration wait, ObjectStoreException failure) throws InterruptedIOException {
    try {
      sleeper.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted before a retry: " + failure.getMessage());
      interrupted.initCause(failure);
      throw interrupted;
    }
  }

  /** Passes each name on once. */
  private static final class Behind implements Consumer<StoredObject> {
    private final Consumer<StoredObject> each;
    private @Nullable String last;

    Behind(Consumer<StoredObject> each) {
      this.each = each;
    }

    @Override
    public void accept(StoredObject object) {
      if (last == null || object.name().compareTo(last) > 0) {
        last = object.name();
        each.accept(object);
      }
    }
  }
}
