package dev.kvorum.simulation.mutants;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/** Stores that are wrong on purpose. */
final class BrokenStores {
  private BrokenStores() {}

  /** Says that it has stored what it will store in a moment. */
  static Store answersBeforeItIsDurable(Store store) {
    return new WrappedStore(store) {
      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        inner.apply(mutation, loop, late -> {});
        waiter.reply(WriteResult.Stored.STORED);
      }
    };
  }

  /**
   * Says that it has stored what it dropped as older: what last-writer-wins by wall clocks does.
   */
  static Store hidesThatItSuperseded(Store store) {
    return new WrappedStore(store) {
      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        Waiter<WriteResult> changed =
            changed(
                waiter,
                applied ->
                    applied instanceof WriteResult.Superseded
                        ? WriteResult.Stored.STORED
                        : applied);
        inner.apply(mutation, loop, changed);
      }
    };
  }

  /** Keeps the last write, however old. */
  static Store doesNotCompareVersions(Store store) {
    return new WrappedStore(store) {
      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        Waiter<WriteResult> again =
            changed(
                waiter,
                applied -> {
                  if (applied instanceof WriteResult.Superseded by) {
                    inner.remove(mutation.key(), by.by(), loop, gone -> {});
                    inner.applyStreamed(mutation, loop, kept -> {});
                    return WriteResult.Stored.STORED;
                  }
                  return applied;
                });
        inner.apply(mutation, loop, again);
      }
    };
  }

  /** Removes tombstones as soon as they are stored, and keeps no record of it. */
  static Store dropsTombstonesAtOnce(Store store) {
    return new WrappedStore(store) {
      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        Waiter<WriteResult> thenDrop =
            changed(
                waiter,
                applied -> {
                  if (mutation.record().tombstone()) {
                    inner.remove(mutation.key(), mutation.record().version(), loop, removed -> {});
                  }
                  return applied;
                });
        inner.applyStreamed(mutation, loop, thenDrop);
      }

      @Override
      public long purgedUpTo() {
        return 0;
      }
    };
  }

  /** Takes what it cannot read for absent. */
  static Store takesUnknownForAbsent(Store store) {
    return new WrappedStore(store) {
      @Override
      public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
        Waiter<ReadResult> changed =
            changed(
                waiter,
                found -> found instanceof ReadResult.Unknown ? ReadResult.Absent.ABSENT : found);
        inner.read(key, detail, loop, changed);
      }
    };
  }

  /** Hides expired records itself, where it should leave that to the coordinator. */
  static Store hidesExpiredRecords(Store store, InstantSource clock) {
    return new WrappedStore(store) {
      @Override
      public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
        Waiter<ReadResult> changed =
            changed(
                waiter,
                found ->
                    found instanceof ReadResult.Found one && !one.record().isLiveAt(clock.millis())
                        ? ReadResult.Absent.ABSENT
                        : found);
        inner.read(key, Detail.RECORD, loop, changed);
      }
    };
  }

  /** Counts a record's life from when it came. */
  static Store extendsTtls(Store store, InstantSource clock) {
    return new WrappedStore(store) {
      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        Versioned record = mutation.record();
        long expiry = record.expiresAtMillis();
        long ttl = expiry - record.version().millis();
        Versioned longer =
            expiry == Versioned.NEVER
                ? record
                : Versioned.live(
                    record.version(), clock.millis() + ttl, record.from(), record.value());
        inner.apply(new Mutation(mutation.key(), longer), loop, waiter);
      }
    };
  }

  /** Leaves out the last record of every page that is not the last one. */
  static Store skipsInScans(Store store) {
    return new WrappedStore(store) {
      @Override
      public void scan(
          KeyRange range,
          KeyOrder order,
          Detail detail,
          ScanLimits limits,
          Executor loop,
          Waiter<ScanResult> waiter) {
        Waiter<ScanResult> changed =
            changed(
                waiter,
                scanned -> {
                  if (scanned instanceof ScanResult.Page page && page.next().isPresent()) {
                    List<Mutation> all = page.records();
                    return new ScanResult.Page(all.subList(0, all.size() - 1), page.next());
                  }
                  return scanned;
                });
        inner.scan(range, order, detail, limits, loop, changed);
      }
    };
  }

  /** Drops every fifth record that it stored. */
  static Store dropsSometimes(Store store) {
    return new WrappedStore(store) {
      private int stored;

      @Override
      public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
        Version version = mutation.record().version();
        inner.apply(
            mutation,
            loop,
            changed(
                waiter,
                applied -> {
                  stored++;
                  if (stored % 5 == 0) {
                    inner.remove(mutation.key(), version, loop, gone -> {});
                  }
                  return applied;
                }));
      }
    };
  }
}
