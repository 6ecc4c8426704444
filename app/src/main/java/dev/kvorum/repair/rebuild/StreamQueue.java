package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a few streams at a time, in the order in which they were added. A stream without progress
 * frees its place and, after a pause of its own, goes to the end of the queue; streams from
 * suspected peers wait. Confined to one event loop.
 */
final class StreamQueue<S extends StreamQueue.Stream> {
  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final BackgroundContext context;
  private final int runningMax;
  private final BiConsumer<S, Boolean> rested;
  private final Queue<S> waiting = new ArrayDeque<>();
  private final Set<S> running = new LinkedHashSet<>();
  private final Map<MemberId, Long> pausesMillis = new HashMap<>();
  private boolean isWatching;
  private boolean over;

  /** A copy from one peer. */
  interface Stream {
    MemberId source();

    /** Begins, or resumes after a pause. */
    void advance();

    /** Ends it without a result. */
    void stop();
  }

  /**
   * An empty queue.
   *
   * @param runningMax streams at a time
   * @param rested called with a stream that has paused or ended and whether it is complete
   */
  StreamQueue(BackgroundContext context, int runningMax, BiConsumer<S, Boolean> rested) {
    this.context = context;
    this.runningMax = runningMax;
    this.rested = rested;
  }

  void add(S stream) {
    assert context.isOnLoop();
    waiting.add(stream);
  }

  void start() {
    assert context.isOnLoop();
    fill();
  }

  /** Stops the running streams and starts no others. */
  void stop() {
    assert context.isOnLoop();
    over = true;
    running.forEach(Stream::stop);
    running.clear();
  }

  private void fill() {
    while (!over && running.size() < runningMax) {
      S next = firstPossible();
      if (next == null) {
        watchSuspected();
        return;
      }
      waiting.remove(next);
      running.add(next);
      next.advance();
    }
  }

  private @Nullable S firstPossible() {
    for (S stream : waiting) {
      if (!context.replicas().isSuspect(stream.source())) {
        return stream;
      }
    }
    return null;
  }

  private void watchSuspected() {
    if (waiting.isEmpty() || isWatching) {
      return;
    }
    isWatching = true;
    Runnable again =
        () -> {
          isWatching = false;
          fill();
        };
    context.loop().schedule(again, PAUSE_MIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Called when a running stream pauses or ends. */
  void onPaused(S stream, boolean complete) {
    assert context.isOnLoop();
    if (over || !running.remove(stream)) {
      return;
    }
    if (!complete) {
      resumeLater(stream);
    }
    rested.accept(stream, complete);
    fill();
  }

  /** At the end of the queue: the other streams may suffice. */
  private void resumeLater(S stream) {
    long millis =
        pausesMillis.merge(
            stream.source(),
            PAUSE_MIN_MILLIS,
            (last, first) -> Math.min(PAUSE_MAX_MILLIS, last * 2));
    Runnable resume =
        () -> {
          waiting.add(stream);
          fill();
        };
    context.loop().schedule(resume, millis, TimeUnit.MILLISECONDS);
  }
}
