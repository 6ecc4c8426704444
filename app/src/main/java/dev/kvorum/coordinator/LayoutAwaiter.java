package dev.kvorum.coordinator;

import dev.kvorum.placement.Layout;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits for a newer layout on behalf of a request whose epoch is older than a replica's. This node
 * requests the newer topology at once.
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
   * Polls on the loop until this node has a newer layout.
   *
   * @param epoch epoch in which the request was planned
   * @param late run instead of {@code found} if the deadline passes first
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
