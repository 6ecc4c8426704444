package dev.kvorum.repair;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Callbacks that are dropped once what they belong to has been given up. On one event loop. */
final class Attempts {
  private static final long RETRY_MILLIS = 1000;

  private final ScheduledExecutorService loop;
  private int current;

  Attempts(ScheduledExecutorService loop) {
    this.loop = loop;
  }

  /** Drops whatever is still to come. */
  void next() {
    current++;
  }

  /** The same callback, until {@link #next}. */
  Consumer<Boolean> ofThis(Consumer<Boolean> callback) {
    int begun = current;
    return result -> {
      if (begun == current) {
        callback.accept(result);
      }
    };
  }

  /** Goes on where something was done, and else tries again after a pause. */
  Consumer<Boolean> then(Runnable next, Runnable again) {
    return ofThis(done -> {
      if (done) {
        next.run();
      } else {
        later(again);
      }
    });
  }

  /** Runs something after a pause, unless {@link #next} comes before. */
  void later(Runnable action) {
    Consumer<Boolean> unlessDropped = ofThis(nothing -> action.run());
    loop.schedule(() -> unlessDropped.accept(true), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }
}
