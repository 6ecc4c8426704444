package dev.kvorum.storage;

/** Waits for an answer of the store. */
@FunctionalInterface
public interface Waiter<T> {
  /** Takes the answer; called exactly once, never in parallel with anything on its own loop. */
  void answer(T answer);

  /**
   * Whether the work is still worth doing: false once its deadline is over or it was cancelled.
   * Called on any thread, before work begins.
   */
  default boolean isWaiting() {
    return true;
  }
}
