package dev.kvorum.simulation.clients;

import dev.kvorum.simulation.cluster.SimCluster;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Steps that follow each other, some of them once something has come about. What does not come
 * about in time ends it, as does the end of all trouble.
 */
public final class Script {
  private static final long POLL_MILLIS = 4;

  /** A step that runs the next one when it is over. */
  private interface Step {
    void run(Runnable next);
  }

  private final SimCluster cluster;
  private final BooleanSupplier over;
  private final Deque<Step> steps = new ArrayDeque<>();
  private Runnable end = () -> {};

  Script(SimCluster cluster, BooleanSupplier over) {
    this.cluster = cluster;
    this.over = over;
  }

  public Script then(Runnable action) {
    steps.add(next -> {
      action.run();
      next.run();
    });
    return this;
  }

  public Script pause(long millis) {
    steps.add(next -> cluster.time.schedule(next, millis, TimeUnit.MILLISECONDS));
    return this;
  }

  /** Waits for something, and gives all up when it takes longer. */
  public Script until(BooleanSupplier isSo, long maxMillis) {
    steps.add(next -> await(isSo, cluster.trace.millis() + maxMillis, next));
    return this;
  }

  /** Waits for something, but no longer than this. */
  public Script pauseUntil(BooleanSupplier isSo, long maxMillis) {
    steps.add(next -> {
      long latest = cluster.trace.millis() + maxMillis;
      await(() -> isSo.getAsBoolean() || cluster.trace.millis() >= latest, latest, next);
    });
    return this;
  }

  private void await(BooleanSupplier isSo, long latestMillis, Runnable next) {
    if (isSo.getAsBoolean()) {
      next.run();
    } else if (cluster.trace.millis() > latestMillis) {
      cluster.trace.note("the scene is given up");
      end.run();
    } else if (isOver()) {
      end.run();
    } else {
      cluster.time.schedule(
          () -> await(isSo, latestMillis, next), POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isOver() {
    return over.getAsBoolean() || !cluster.invariants.violations().isEmpty();
  }

  /** Plays it; {@code atEnd} runs once, however it ends. */
  public void play(Runnable atEnd) {
    end = atEnd;
    next();
  }

  private void next() {
    Step step = isOver() ? null : steps.poll();
    if (step == null) {
      end.run();
    } else {
      step.run(this::next);
    }
  }
}
