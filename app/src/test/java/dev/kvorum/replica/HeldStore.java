package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Waiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A store that answers no read before the test says so. */
final class HeldStore extends MemoryStore {
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
}
