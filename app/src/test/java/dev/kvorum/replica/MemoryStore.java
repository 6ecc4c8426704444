package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A store that loses everything; it answers at once, or on the loop when told to be slow. */
public final class MemoryStore implements Store {
  private final Map<Key, Versioned> records = new ConcurrentHashMap<>();
  private volatile @Nullable Refusal refusal;
  private volatile boolean later;
  private volatile boolean nearlyFull;

  /** From now on every answer is this; null: work again. */
  public void refuse(@Nullable Refusal reason) {
    refusal = reason;
  }

  /** From now on answers come on the loop, not during the call. */
  public void answerLater() {
    later = true;
  }

  /** From now on the disk is nearly full. */
  public void fillUp() {
    nearlyFull = true;
  }

  /** What is stored. */
  public Optional<Versioned> get(Key key) {
    return Optional.ofNullable(records.get(key));
  }

  /** Puts a record there, whatever is there. */
  public void put(Key key, Versioned record) {
    records.put(key, record);
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    when(loop, () -> waiter.answer(lookup(key, detail)));
  }

  private Lookup lookup(Key key, Detail detail) {
    Refusal reason = refusal;
    if (reason != null) {
      return new Lookup.Unknown(reason);
    }
    Versioned record = records.get(key);
    if (record == null) {
      return Lookup.Absent.ABSENT;
    }
    return detail == Detail.RECORD
        ? new Lookup.Found(record)
        : new Lookup.FoundVersion(record.version());
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    when(loop, () -> waiter.answer(applied(mutation)));
  }

  private Applied applied(Mutation mutation) {
    Refusal reason = refusal;
    if (reason != null) {
      return new Applied.Refused(reason);
    }
    Version version = mutation.record().version();
    Versioned kept =
        records.merge(
            mutation.key(),
            mutation.record(),
            (old, now) -> now.version().isNewerThan(old.version()) ? now : old);
    return kept.version().isNewerThan(version)
        ? new Applied.Superseded(kept.version())
        : Applied.Stored.STORED;
  }

  private void when(Executor loop, Runnable work) {
    if (later) {
      loop.execute(work);
    } else {
      work.run();
    }
  }

  @Override
  public boolean isNearlyFull() {
    return nearlyFull;
  }

  @Override
  public void close() {}
}
