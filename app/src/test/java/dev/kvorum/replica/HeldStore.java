package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A store that answers no read before the test says so. */
final class HeldStore implements Store {
  /** A read that waits. */
  record Held(Key key, Executor loop, Waiter<Lookup> waiter) {
    void answer(Lookup lookup) {
      loop.execute(() -> waiter.answer(lookup));
    }
  }

  final List<Held> held = new CopyOnWriteArrayList<>();

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    held.add(new Held(key, loop, waiter));
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    waiter.answer(Applied.Stored.STORED);
  }

  @Override
  public boolean isNearlyFull() {
    return false;
  }

  @Override
  public void close() {}
}
