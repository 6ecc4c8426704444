package dev.kvorum.storage.replace;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import java.util.concurrent.Executor;

/**
 * The marks of one store, also after it was opened again: its records are the same. After its
 * replacement, they are rejected by the closed store.
 */
final class ReopenedMarks implements MarkStore {
  private volatile RecordStore store;

  ReopenedMarks(RecordStore store) {
    this.store = store;
  }

  void continueIn(RecordStore reopened) {
    store = reopened;
  }

  @Override
  public long mark(String name) {
    return store.marks().mark(name);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    store.marks().keepMark(name, number, loop, waiter);
  }
}
