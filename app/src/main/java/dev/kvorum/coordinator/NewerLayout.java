package dev.kvorum.coordinator;

import dev.kvorum.placement.Layout;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The wait of a request that was planned in an older epoch than a replica's: for this node to learn
 * of the newer one, which it asks for at once.
 */
final class NewerLayout {
  private static final long POLL_MILLIS = 2;

  private final Ground ground;
  private final long epoch;
  private final long deadlineNanos;
  private final Consumer<Layout> found;
  private final Runnable late;

  private NewerLayout(
      Ground ground, long epoch, long deadlineNanos, Consumer<Layout> found, Runnable late) {
    this.ground = ground;
    this.epoch = epoch;
    this.deadlineNanos = deadlineNanos;
    this.found = found;
    this.late = late;
  }

  /**
   * Waits, on the loop.
   *
   * @param epoch in which the request was planned
   * @param late run instead when the deadline is over first
   */
  static void await(
      Ground ground, long epoch, long deadlineNanos, Consumer<Layout> found, Runnable late) {
    new NewerLayout(ground, epoch, deadlineNanos, found, late).look();
  }

  private void look() {
    Layout now = ground.layouts().get();
    if (now.epoch() > epoch) {
      found.accept(now);
    } else if (ground.isOver(deadlineNanos)) {
      late.run();
    } else {
      ground.loop().schedule(this::look, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
