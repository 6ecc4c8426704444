package dev.kvorum.background;

import java.util.function.Consumer;

/**
 * Runs many small tasks, a few at a time, until all are done or one fails. Confined to one event
 * loop.
 */
public final class BoundedParallel {
  private final int width;
  private final int count;
  private final Step step;
  private final Consumer<Boolean> done;
  private int next;
  private int underWay;
  private boolean failed;
  private boolean advancing;
  private boolean over;

  /** One of the tasks. */
  @FunctionalInterface
  public interface Step {
    /** Starts a task; {@code done} is called once with whether it succeeded. */
    void begin(int index, Consumer<Boolean> done);
  }

  /**
   * Creates tasks that have not started.
   *
   * @param width tasks at a time
   * @param count number of tasks
   * @param done called once, when no task is in progress any more, with whether all succeeded
   */
  public BoundedParallel(int width, int count, Step step, Consumer<Boolean> done) {
    this.width = width;
    this.count = count;
    this.step = step;
    this.done = done;
  }

  public void start() {
    advance();
  }

  private void advance() {
    // Replies may arrive before the call returns; a loop avoids one stack frame for each.
    if (advancing) {
      return;
    }
    advancing = true;
    while (!failed && next < count && underWay < width) {
      underWay++;
      step.begin(next++, this::one);
    }
    advancing = false;
    if (underWay == 0 && !over) {
      over = true;
      done.accept(!failed);
    }
  }

  private void one(boolean well) {
    underWay--;
    failed |= !well;
    advance();
  }
}
