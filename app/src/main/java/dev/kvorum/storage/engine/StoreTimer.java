package dev.kvorum.storage.engine;

import java.time.Duration;

/** Runs the store's periodic tasks, one at a time. */
interface StoreTimer {
  /** Runs a task repeatedly with a pause between runs; a failing task is run again. */
  void every(Duration pause, Runnable task);

  /** Stops; returns false if a task does not end in time. */
  boolean close(Duration timeout);
}
