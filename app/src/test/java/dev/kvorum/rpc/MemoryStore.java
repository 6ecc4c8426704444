package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A store that keeps nothing on disk; it answers at once, or on the loop when set to be slow. */
public class MemoryStore implements Store, MarkStore {
  private final NavigableMap<Key, Versioned> records = new ConcurrentSkipListMap<>();
  private final Map<String, Long> marks = new ConcurrentHashMap<>();
  private volatile long purgedUpTo;
  private volatile long newestStamp;
  private volatile @Nullable RejectReason rejection;
  private volatile boolean later;
  private volatile boolean hangs;
  private volatile boolean nearlyFull;

  /** From now on every answer is this; null: work again. */
  public void reject(@Nullable RejectReason reason) {
    rejection = reason;
  }

  /** From now on answers come on the loop, not during the call. */
  public void answerLater() {
    later = true;
  }

  /** From now on nothing is answered. */
  public void hang() {
    hangs = true;
  }

  /** From now on the disk is nearly full. */
  public void fillUp() {
    nearlyFull = true;
  }

  /** What is stored. */
  public Optional<Versioned> get(Key key) {
    return Optional.ofNullable(records.get(key));
  }

  /** All keys. */
  public List<Key> keys() {
    return List.copyOf(records.keySet());
  }

  /** Puts everything aside, as for a store that cannot be relied on. */
  public void reset() {
    records.clear();
    marks.clear();
    marks.put(MarkStore.SET_ASIDE, 1L);
    marks.put(MarkStore.RESET, 1L);
    purgedUpTo = 0;
  }

  /** Stores a record, replacing any other. */
  public void put(Key key, Versioned record) {
    records.put(key, record.sealed(key));
    newestStamp = Math.max(newestStamp, record.version().stamp());
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
    when(loop, () -> waiter.reply(lookup(key, detail)));
  }

  private ReadResult lookup(Key key, Detail detail) {
    RejectReason reason = rejection;
    if (reason != null) {
      return new ReadResult.Unknown(reason);
    }
    Versioned record = records.get(key);
    if (record == null) {
      return ReadResult.Absent.ABSENT;
    }
    if (detail == Detail.VERSION) {
      return new ReadResult.FoundVersion(record.version());
    }
    return record.isIntact(key)
        ? new ReadResult.Found(record)
        : new ReadResult.Unknown(RejectReason.CHECKSUM_MISMATCH);
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    when(loop, () -> waiter.reply(applied(mutation, false)));
  }

  @Override
  public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    when(loop, () -> waiter.reply(applied(mutation, true)));
  }

  @Override
  public void applySalvaged(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    when(loop, () -> waiter.reply(applied(mutation, true)));
  }

  private WriteResult applied(Mutation mutation, boolean trusted) {
    RejectReason reason = rejection;
    if (reason != null) {
      return new WriteResult.Rejected(reason);
    }
    Version version = mutation.record().version();
    if (!trusted && !records.containsKey(mutation.key()) && version.stamp() <= purgedUpTo) {
      return new WriteResult.Rejected(RejectReason.TOO_OLD);
    }
    newestStamp = Math.max(newestStamp, version.stamp());
    Versioned kept =
        records.merge(
            mutation.key(),
            mutation.record(),
            (old, now) ->
                now.version().isNewerThan(old.version()) || isWorse(mutation.key(), old, now)
                    ? now
                    : old);
    return kept.version().isNewerThan(version)
        ? new WriteResult.Superseded(kept.version())
        : WriteResult.Stored.STORED;
  }

  private static boolean isWorse(Key key, Versioned old, Versioned now) {
    return old.version().equals(now.version()) && (!old.isIntact(key) || now.outweighs(old));
  }

  @Override
  public void scan(
      KeyRange range,
      KeyOrder order,
      Detail detail,
      ScanLimits limits,
      Executor loop,
      Waiter<ScanResult> waiter) {
    when(loop, () -> waiter.reply(scanned(range, order, detail, limits)));
  }

  private ScanResult scanned(KeyRange range, KeyOrder order, Detail detail, ScanLimits limits) {
    RejectReason reason = rejection;
    if (reason != null) {
      return new ScanResult.Unknown(reason);
    }
    List<Mutation> page = new ArrayList<>();
    List<Key> mismatched = new ArrayList<>();
    long bytes = 0;
    NavigableMap<Key, Versioned> rest =
        order == KeyOrder.ASCENDING ? records : records.descendingMap();
    for (Map.Entry<Key, Versioned> entry : rest.entrySet()) {
      if (range.contains(entry.getKey())) {
        Versioned record = entry.getValue();
        long more = entry.getKey().bytes().length + (long) record.value().length;
        if (!page.isEmpty()
            && (page.size() >= limits.recordsMax() || bytes + more > limits.bytesMax())) {
          return new ScanResult.Page(page, Optional.of(page.getLast().key()), mismatched);
        }
        bytes += more;
        if (detail == Detail.RECORD && !record.isIntact(entry.getKey())) {
          mismatched.add(entry.getKey());
          continue;
        }
        page.add(
            new Mutation(
                entry.getKey(),
                detail == Detail.RECORD ? record : record.withoutValue(entry.getKey())));
      }
    }
    return new ScanResult.Page(page, Optional.empty(), mismatched);
  }

  @Override
  public void expire(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    records.computeIfPresent(
        key,
        (k, held) ->
            held.version().equals(version)
                ? Versioned.tombstone(version, held.from()).sealed(key)
                : held);
    when(loop, () -> waiter.reply(WriteResult.Stored.STORED));
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    records.computeIfPresent(
        mutation.key(),
        (k, held) ->
            held.tombstone() && held.version().equals(mutation.record().version())
                ? mutation.record()
                : held);
    when(loop, () -> waiter.reply(WriteResult.Stored.STORED));
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    Versioned held = records.get(key);
    if (held != null && held.version().equals(version)) {
      records.remove(key);
      purgedUpTo = held.tombstone() ? Math.max(purgedUpTo, version.stamp()) : purgedUpTo;
    }
    when(loop, () -> waiter.reply(WriteResult.Stored.STORED));
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    records.computeIfPresent(key, (k, held) -> held.version().equals(version) ? null : held);
    when(loop, () -> waiter.reply(WriteResult.Stored.STORED));
  }

  @Override
  public long purgedUpTo() {
    return purgedUpTo;
  }

  @Override
  public long newestStamp() {
    return newestStamp;
  }

  @Override
  public long mark(String name) {
    return marks.getOrDefault(name, 0L);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    RejectReason reason = rejection;
    if (reason != null) {
      when(loop, () -> waiter.reply(new WriteResult.Rejected(reason)));
      return;
    }
    marks.put(name, number);
    when(loop, () -> waiter.reply(WriteResult.Stored.STORED));
  }

  private void when(Executor loop, Runnable work) {
    if (later) {
      loop.execute(work);
    } else if (!hangs) {
      work.run();
    }
  }

  @Override
  public boolean isNearlyFull() {
    return nearlyFull;
  }

  @Override
  public long diskFreeBytes() {
    return nearlyFull ? 0 : Long.MAX_VALUE;
  }

  @Override
  public void close() {}
}
