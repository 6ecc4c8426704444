package dev.kvorum.storage.engine;

import java.time.Duration;

/** Runs what the store does periodically, one task at a time. */
interface StoreTimer {
  /** Runs a task again and again with a pause between; one that fails is run again all the same. */
  void every(Duration pause, Runnable task);

  /** Runs nothing any more; false when a task does not end in time. */
  boolean close(Duration timeout);
}
