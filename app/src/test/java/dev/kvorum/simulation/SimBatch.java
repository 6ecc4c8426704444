package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.Waiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Writes that share one fsync: checked against the disk and each other, answered together. */
final class SimBatch {
  static final Applied FAILED = new Applied.Refused(Refusal.STORAGE_FAILED);

  private record Answer(Executor loop, Waiter<Applied> waiter, Applied applied) {}

  private final SimDisk disk;
  private final boolean syncAlways;
  private final ChecksumVerifier verifier;
  private final Map<Key, Version> newest = new HashMap<>();
  private final List<Answer> answers = new ArrayList<>();
  private final List<Runnable> successes = new ArrayList<>();
  private final List<Runnable> failures = new ArrayList<>();
  private long removing;
  final List<Effect> effects = new ArrayList<>();
  boolean needsSync;

  SimBatch(SimDisk disk, boolean syncAlways, ChecksumVerifier verifier) {
    this.disk = disk;
    this.verifier = verifier;
    this.syncAlways = syncAlways;
  }

  void owe(Executor loop, Waiter<Applied> waiter, Applied applied) {
    answers.add(new Answer(loop, waiter, applied));
  }

  void onSuccess(Runnable action) {
    successes.add(action);
  }

  void onFailure(Runnable action) {
    failures.add(action);
  }

  Applied apply(Mutation mutation, boolean trusted) {
    Key key = mutation.key();
    Version mine = mutation.record().version();
    Version there = version(key);
    if (!mine.isNewerThan(there) && disk.damaged.contains(key)) {
      return FAILED;
    }
    if (there.isNewerThan(mine)) {
      return new Applied.Superseded(there);
    }
    if (mine.equals(there) && !outweighsStored(mutation)) {
      return Applied.Stored.STORED;
    }
    long removed = Math.max(removing, disk.written().removedUpTo);
    if (there.equals(Version.NONE) && !trusted && removed > 0 && mine.stamp() <= removed) {
      return new Applied.Refused(Refusal.TOO_OLD);
    }
    put(key, mutation.record());
    needsSync |= syncAlways;
    return Applied.Stored.STORED;
  }

  private boolean outweighsStored(Mutation mutation) {
    Versioned held = disk.written().records.get(mutation.key());
    return held != null
        && !newest.containsKey(mutation.key())
        && (!held.isIntact(mutation.key()) || mutation.record().outweighs(held));
  }

  Applied retire(Key key, Version version, boolean remove) {
    Versioned held = disk.written().records.get(key);
    if (held == null || newest.containsKey(key) || !held.version().equals(version)) {
      return Applied.Stored.STORED;
    }
    if (disk.damaged.contains(key) || !verifier.matches(Place.STORE, key, held)) {
      return FAILED;
    }
    if (remove) {
      long stamp = held.tombstone() ? version.stamp() : 0;
      effects.add(new Effect.Remove(key, stamp));
      newest.put(key, Version.NONE);
      removing = Math.max(removing, stamp);
    } else {
      put(key, Versioned.tombstone(version, held.from()).sealed(key));
    }
    return Applied.Stored.STORED;
  }

  Applied restore(Mutation mutation) {
    Key key = mutation.key();
    Versioned held = disk.written().records.get(key);
    if (held != null
        && held.tombstone()
        && held.version().equals(mutation.record().version())
        && !newest.containsKey(key)) {
      put(key, mutation.record());
      needsSync |= syncAlways;
    }
    return Applied.Stored.STORED;
  }

  Applied drop(Key key, Version version) {
    Versioned held = disk.written().records.get(key);
    if (held != null && !newest.containsKey(key) && held.version().equals(version)) {
      effects.add(new Effect.Remove(key, 0));
      newest.put(key, Version.NONE);
    }
    return Applied.Stored.STORED;
  }

  Applied mark(String name, long number) {
    effects.add(new Effect.Mark(name, number));
    needsSync = true;
    return Applied.Stored.STORED;
  }

  private void put(Key key, Versioned record) {
    effects.add(new Effect.Put(key, record));
    newest.put(key, record.version());
  }

  private Version version(Key key) {
    Version inBatch = newest.get(key);
    return inBatch != null ? inBatch : disk.written().version(key);
  }

  /** Gives every answer on its loop. */
  void answer(boolean written) {
    (written ? successes : failures).forEach(Runnable::run);
    for (Answer answer : answers) {
      boolean refused = answer.applied instanceof Applied.Refused;
      Applied applied = written || refused ? answer.applied : FAILED;
      answer.loop.execute(() -> answer.waiter.answer(applied));
    }
  }
}
