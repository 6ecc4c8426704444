package dev.kvorum.boot;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches a value that is costly to compute; a read recomputes it when it is older than a second.
 */
final class ExpiringSupplier<T> implements Supplier<T> {
  private static final long AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<T> source;
  private @Nullable T last;
  private long madeNanos;

  ExpiringSupplier(Supplier<T> source) {
    this.source = source;
  }

  @Override
  public synchronized T get() {
    long now = System.nanoTime();
    T known = last;
    if (known == null || now - madeNanos > AGE_NANOS) {
      known = source.get();
      last = known;
      madeNanos = now;
    }
    return known;
  }
}
