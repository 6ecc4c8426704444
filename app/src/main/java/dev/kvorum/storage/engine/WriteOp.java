package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.Executor;

/** An operation for the writer thread. */
sealed interface WriteOp {
  /** Approximate memory in bytes, which the limits of queue and batch count. */
  long heapBytes();

  /**
   * Stores a record unless there is a newer one.
   *
   * @param trusted whether to store it even if it may have been deleted and its tombstone purged
   *     since
   */
  record Apply(Mutation mutation, boolean trusted, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return mutation.heapBytes();
    }
  }

  /** Replaces a tombstone by a record of its version. */
  record Restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) implements WriteOp {
    @Override
    public long heapBytes() {
      return mutation.heapBytes();
    }
  }

  /** What happens to a record that is no longer needed. */
  enum Fate {
    /** A tombstone replaces it. */
    EXPIRE,
    /** It is removed, and its stamp is recorded as removed. */
    REMOVE,
    /** It is removed, since this member no longer keeps it. */
    DROP
  }

  /** Applies a fate to the record of this version. */
  record Retire(Key key, Version version, Fate fate, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return 160L + key.bytes().length;
    }
  }

  /** Stores a hint; the ledger has counted its bytes already. */
  record KeepHint(MemberId target, HintKey key, Mutation mutation) implements WriteOp {
    @Override
    public long heapBytes() {
      return (long) key.bytes().length + mutation.heapBytes();
    }
  }

  /** Deletes hints by their keys on disk. */
  record RemoveHints(List<HintKey> keys) implements WriteOp {
    @Override
    public long heapBytes() {
      return 128L * keys.size();
    }
  }

  /** Stores a number about the node, with an fsync at any durability. */
  record KeepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter)
      implements WriteOp {
    @Override
    public long heapBytes() {
      return 64L + name.length();
    }
  }

  /** Stops after all earlier operations. */
  record Stop() implements WriteOp {
    @Override
    public long heapBytes() {
      return 0;
    }
  }
}
