package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs one rebuild stream at a time. A stream without progress goes to the end of the queue;
 * streams from suspected peers wait. Confined to one event loop.
 */
final class StreamQueue {
  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final BackgroundContext context;
  private final BiPredicate<RebuildStream, Boolean> rested;
  private final Queue<RebuildStream> waiting = new ArrayDeque<>();
  private @Nullable RebuildStream current;
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean over;

  /**
   * An empty queue.
   *
   * @param rested called with a stream that has paused or ended and whether it is complete; returns
   *     whether to start the next one
   */
  StreamQueue(BackgroundContext context, BiPredicate<RebuildStream, Boolean> rested) {
    this.context = context;
    this.rested = rested;
  }

  void add(RebuildStream copying) {
    waiting.add(copying);
  }

  void start() {
    next();
  }

  /** Stops the current stream and starts no other. */
  void stop() {
    over = true;
    if (current != null) {
      current.stop();
    }
  }

  private void next() {
    if (over || current != null) {
      return;
    }
    Predicate<RebuildStream> possible = copying -> !context.replicas().isSuspect(copying.source());
    RebuildStream next = waiting.stream().filter(possible).findFirst().orElse(null);
    if (next == null) {
      nextLater();
      return;
    }
    waiting.remove(next);
    current = next;
    next.advance();
  }

  private void nextLater() {
    pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
    context.loop().schedule(this::next, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /** Called when the current stream pauses or ends. */
  void onPaused(boolean complete) {
    RebuildStream copying = current;
    if (over || copying == null) {
      return;
    }
    current = null;
    if (complete) {
      pauseMillis = PAUSE_MIN_MILLIS;
    } else {
      // To the end of the queue: the other streams may suffice.
      waiting.add(copying);
    }
    if (rested.test(copying, complete) && !over) {
      if (complete) {
        next();
      } else {
        nextLater();
      }
    }
  }
}
