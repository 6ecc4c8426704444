package dev.kvorum.repair.state;

import dev.kvorum.background.BackgroundContext;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Wraps callbacks so that they are dropped once their attempt has been abandoned. Confined to one
 * event loop.
 */
public final class Attempts {
  private static final long RETRY_MILLIS = 1000;

  private final BackgroundContext context;
  private int current;

  public Attempts(BackgroundContext context) {
    this.context = context;
  }

  /** Drops all outstanding callbacks. */
  public void next() {
    assert context.isOnLoop();
    current++;
  }

  /** The same callback, until {@link #next}. */
  public <T> Consumer<T> ofThis(Consumer<T> callback) {
    assert context.isOnLoop();
    int begun = current;
    return result -> {
      assert context.isOnLoop();
      if (begun == current) {
        callback.accept(result);
      }
    };
  }

  /** Goes on where something was done, and else tries again after a pause. */
  public Consumer<Boolean> then(Runnable next, Runnable again) {
    return ofThis(done -> {
      if (done) {
        next.run();
      } else {
        later(again);
      }
    });
  }

  /** Runs something after a pause, unless {@link #next} comes before. */
  public void later(Runnable action) {
    Consumer<Boolean> unlessDropped = ofThis(nothing -> action.run());
    context.loop().schedule(() -> unlessDropped.accept(true), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }
}
