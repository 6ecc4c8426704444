package dev.kvorum.coordinator;

import dev.kvorum.placement.Layout;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The wait of a request that was planned in an older epoch than a replica's: for this node to
 * receive the newer one, which it requests at once.
 */
final class LayoutAwaiter {
  private static final long POLL_MILLIS = 2;

  private final RequestContext context;
  private final long epoch;
  private final long deadlineNanos;
  private final Consumer<Layout> found;
  private final Runnable late;

  private LayoutAwaiter(
      RequestContext context,
      long epoch,
      long deadlineNanos,
      Consumer<Layout> found,
      Runnable late) {
    this.context = context;
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
      RequestContext context,
      long epoch,
      long deadlineNanos,
      Consumer<Layout> found,
      Runnable late) {
    new LayoutAwaiter(context, epoch, deadlineNanos, found, late).look();
  }

  private void look() {
    Layout now = context.layouts().get();
    if (now.epoch() > epoch) {
      found.accept(now);
    } else if (context.isOver(deadlineNanos)) {
      late.run();
    } else {
      context.loop().schedule(this::look, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
