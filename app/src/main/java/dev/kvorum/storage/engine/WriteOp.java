package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.Executor;

/** What the writer thread can be asked to do. */
sealed interface WriteOp {
  /** Bytes that it keeps in memory, roughly; what queue and batch are bounded by. */
  long heapBytes();

  /**
   * Keep a record unless a newer one is there.
   *
   * @param trusted whether it is kept though it may have been deleted, and its tombstone purged,
   *     since
   */
  record Apply(Mutation mutation, boolean trusted, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return mutation.heapBytes();
    }
  }

  /** Put a record in the place of a tombstone of its version. */
  record Restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) implements WriteOp {
    @Override
    public long heapBytes() {
      return mutation.heapBytes();
    }
  }

  /** What becomes of a record that is not needed any more. */
  enum Fate {
    /** A tombstone takes its place. */
    EXPIRE,
    /** It is removed, and it is remembered that something this old was. */
    REMOVE,
    /** It is removed, for it belongs to others. */
    DROP
  }

  /** Apply a fate to the record of this version. */
  record Retire(Key key, Version version, Fate fate, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return 160L + key.bytes().length;
    }
  }

  /** Keep a hint; its bytes are in the ledger already. */
  record KeepHint(MemberId target, HintKey key, Mutation mutation) implements WriteOp {
    @Override
    public long heapBytes() {
      return (long) key.bytes().length + mutation.heapBytes();
    }
  }

  /** Delete hints, by their keys on disk. */
  record RemoveHints(List<HintKey> keys) implements WriteOp {
    @Override
    public long heapBytes() {
      return 128L * keys.size();
    }
  }

  /** Keep a number about the node, with an fsync at any durability. */
  record KeepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return 64L + name.length();
    }
  }

  /** Stop once everything before it is done. */
  record Stop() implements WriteOp {
    @Override
    public long heapBytes() {
      return 0;
    }
  }
}
