package dev.kvorum.storage;

/** Callback for a reply of the store. */
@FunctionalInterface
public interface Waiter<T> {
  /** Receives the reply; called exactly once, never in parallel with other work on its loop. */
  void reply(T reply);

  /**
   * Returns whether the work is still needed: false after its deadline or a cancellation. Called on
   * any thread, before the work starts.
   */
  default boolean isWaiting() {
    return true;
  }
}
