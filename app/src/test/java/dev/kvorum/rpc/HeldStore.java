package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Waiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A store that answers no read before the test releases it. */
final class HeldStore extends MemoryStore {
  /** A read that waits. */
  record Held(Key key, Executor loop, Waiter<ReadResult> waiter) {
    void reply(ReadResult lookup) {
      loop.execute(() -> waiter.reply(lookup));
    }
  }

  final List<Held> held = new CopyOnWriteArrayList<>();

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
    held.add(new Held(key, loop, waiter));
  }
}
