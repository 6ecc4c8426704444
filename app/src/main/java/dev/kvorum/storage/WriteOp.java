package dev.kvorum.storage;

import dev.kvorum.data.Mutation;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.Executor;

/** What the writer thread can be asked to do. */
sealed interface WriteOp {
  /** Bytes that it keeps in memory, roughly; what queue and batch are bounded by. */
  long heapBytes();

  /** Keep a record unless a newer one is there. */
  record Apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) implements WriteOp {
    @Override
    public long heapBytes() {
      return mutation.heapBytes();
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
  record ForgetHints(List<HintKey> keys) implements WriteOp {
    @Override
    public long heapBytes() {
      return 128L * keys.size();
    }
  }

  /** Keep the clock's high-water mark, with an fsync whatever the durability. */
  record KeepHighWater(long millis, Executor loop, Waiter<Applied> waiter) implements WriteOp {
    @Override
    public long heapBytes() {
      return 64;
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
