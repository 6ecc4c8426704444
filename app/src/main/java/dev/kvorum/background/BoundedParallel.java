package dev.kvorum.background;

import java.util.function.Consumer;

/** Many small works, a few at a time, until all are done or one fails. On one event loop. */
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

  /** One of the works. */
  @FunctionalInterface
  public interface Step {
    /** Begins a work; {@code done} is called once with whether it was done well. */
    void begin(int index, Consumer<Boolean> done);
  }

  /**
   * Works that have not begun.
   *
   * @param width at a time
   * @param count in all
   * @param done called once, when nothing is under way any more, whether all were done well
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
    // Answers may come before the call returns: not one stack frame for each.
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
