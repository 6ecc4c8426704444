package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import java.util.concurrent.Executor;

/**
 * The records of one replica. No method blocks; answers may come before the call returns.
 *
 * <p>Applying is commutative, associative and idempotent: whatever the order, the newest version of
 * a key stays.
 */
public interface Store extends AutoCloseable {
  /**
   * Looks a record up, expired ones and tombstones included.
   *
   * @param detail how much of the record is wanted
   * @param loop where the answer is given when it does not come at once
   */
  void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter);

  /**
   * Keeps a mutation unless a newer version is there. The reply comes once the outcome is as
   * durable as the store's setting promises.
   *
   * @param loop where the answer is given when it does not come at once
   */
  void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Keeps a mutation that was fetched from another replica just now, as {@link #apply} does, but
   * also where a tombstone that was newer may have been removed: the receiver of a stream decides.
   */
  void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Reads a page of a range in the order of keys, expired records and tombstones included, from one
   * moment between the call and the answer.
   *
   * @param detail with {@link Detail#VERSION} values are left out: every record's is empty
   * @param loop where the answer is given
   */
  void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<ScanResult> waiter);

  /**
   * Turns a record into a tombstone of the same version, if it still has this version. Answered by
   * {@link WriteResult.Stored} also when there was nothing to do; a crash soon after may undo it.
   */
  void expire(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Puts a record that was just fetched in the place of a tombstone of the same version: what one
   * replica took for expired is live on another one. Nothing happens where anything else is stored.
   * Answered by {@link WriteResult.Stored} also when there was nothing to do.
   */
  void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Removes a record as if it had never been there, if it still has this version. From the removal
   * of a tombstone on {@link #apply} refuses as {@link dev.kvorum.data.RejectReason#TOO_OLD} what
   * is as old and finds no record, where the removed tombstone may have deleted it. Answered by
   * {@link WriteResult.Stored} also when there was nothing to do; a crash soon after may undo it.
   */
  void remove(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Lets go of a record that belongs to others, if it still has this version. Nothing follows from
   * that as to whether it was deleted. Answered by {@link WriteResult.Stored} also when there was
   * nothing to do; a crash soon after may undo it.
   */
  void drop(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * The newest stamp of all tombstones that were removed; what is older may have been deleted. 0
   * when none was.
   */
  long removedUpTo();

  /** Whether puts are refused because the disk is nearly full. */
  boolean isNearlyFull();

  /** Makes everything durable and lets the files go. Blocks; not for event loops. */
  @Override
  void close();

  /** How much of a record a reader needs. */
  enum Detail {
    /** Version and value. */
    RECORD,
    /** The version alone, and in a scan what else is known without the value. */
    VERSION
  }
}
