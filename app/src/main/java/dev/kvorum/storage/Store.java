package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import java.util.concurrent.Executor;

/**
 * The records of one replica. No method blocks; replies may arrive before the call returns.
 *
 * <p>Applying mutations is commutative, associative and idempotent: in any order, the newest
 * version of a key remains.
 */
public interface Store extends AutoCloseable {
  /**
   * Reads a record, which may be expired or a tombstone.
   *
   * @param detail how much of the record to read
   * @param loop executor of the reply, unless it is immediate
   */
  void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter);

  /**
   * Stores a mutation unless there is a newer version. The reply follows once the outcome is as
   * durable as the store's setting promises.
   *
   * @param loop executor of the reply, unless it is immediate
   */
  void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Stores a just fetched mutation of another replica. Unlike {@link #apply}, it does so even if a
   * newer tombstone may have been removed: the receiver of a stream decides.
   */
  void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Stores a record of a corrupted store on the same disk, whose files are deleted as their records
   * are stored again. Unlike {@link #applyStreamed}, it may use half of the space that other writes
   * leave free.
   */
  void applySalvaged(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Reads a page of a range, including expired records and tombstones. The page is a snapshot of
   * one moment between the call and the reply.
   *
   * @param detail with {@link Detail#VERSION}, values are left out: every record's value is empty
   * @param loop executor of the reply
   */
  void scan(
      KeyRange range,
      KeyOrder order,
      Detail detail,
      ScanLimits limits,
      Executor loop,
      Waiter<ScanResult> waiter);

  /** Reads a page of a range in ascending order. */
  default void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<ScanResult> waiter) {
    scan(range, KeyOrder.ASCENDING, detail, limits, loop, waiter);
  }

  /**
   * Replaces a record by a tombstone of the same version, if it still has this version. The reply
   * is {@link WriteResult.Stored} even if there was nothing to do; a crash soon after may undo it.
   */
  void expire(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Replaces a tombstone by a just fetched record of the same version, which one replica took for
   * expired while it is live on another. Does nothing if anything else is stored. The reply is
   * {@link WriteResult.Stored} even if there was nothing to do.
   */
  void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Removes a record without a trace, if it still has this version. After the removal of a
   * tombstone, {@link #apply} rejects writes that the tombstone may have deleted as {@link
   * dev.kvorum.data.RejectReason#TOO_OLD}: those that are as old and find no record. The reply is
   * {@link WriteResult.Stored} even if there was nothing to do; a crash soon after may undo it.
   */
  void remove(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * Removes a record that this member no longer keeps, if it still has this version. The removal
   * does not count as a deletion. The reply is {@link WriteResult.Stored} even if there was nothing
   * to do; a crash soon after may undo it.
   */
  void drop(Key key, Version version, Executor loop, Waiter<WriteResult> waiter);

  /**
   * The newest stamp of all removed tombstones; older records may have been deleted. 0 if none was
   * removed.
   */
  long purgedUpTo();

  /**
   * Upper bound of the stamps of all records that were ever stored. After a restart it may exceed
   * them by ten seconds.
   */
  long newestStamp();

  /** Returns whether puts are rejected because the disk is nearly full. */
  boolean isNearlyFull();

  /** Free bytes of the disk as last sampled. */
  long diskFreeBytes();

  /** Makes all writes durable and closes the files. Blocks; not for event loops. */
  @Override
  void close();

  /** How much of a record a read returns. */
  enum Detail {
    /** Version and value. */
    RECORD,
    /** The version only, and in a scan all fields except the value. */
    VERSION
  }
}
