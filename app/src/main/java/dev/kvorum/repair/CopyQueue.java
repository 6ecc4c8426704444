package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies from the other members, one at a time: one that does not get on waits behind the others,
 * and members that are suspected wait until they are not. Lives on one event loop.
 */
final class CopyQueue {
  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final Ground ground;
  private final BiPredicate<Copying, Boolean> rested;
  private final Queue<Copying> waiting = new ArrayDeque<>();
  private @Nullable Copying current;
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean over;

  /**
   * An empty queue.
   *
   * @param rested given a copy that has come to rest and whether it is complete; returns whether
   *     the next one is to begin
   */
  CopyQueue(Ground ground, BiPredicate<Copying, Boolean> rested) {
    this.ground = ground;
    this.rested = rested;
  }

  void add(Copying copying) {
    waiting.add(copying);
  }

  void start() {
    next();
  }

  /** Ends what is under way; nothing is run any more. */
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
    Predicate<Copying> possible = copying -> !ground.replicas().isSuspect(copying.source());
    Copying next = waiting.stream().filter(possible).findFirst().orElse(null);
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
    ground.loop().schedule(this::next, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /** To be told whenever the present copy comes to rest. */
  void onPaused(boolean complete) {
    Copying copying = current;
    if (over || copying == null) {
      return;
    }
    current = null;
    if (complete) {
      pauseMillis = PAUSE_MIN_MILLIS;
    } else {
      // Behind the others: what they have may do.
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
