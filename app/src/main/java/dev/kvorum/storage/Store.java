package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
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
  void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter);

  /**
   * Keeps a mutation unless a newer version is there. The answer comes once what it says is as
   * durable as the store's setting promises.
   *
   * @param loop where the answer is given when it does not come at once
   */
  void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter);

  /** Whether puts are refused because the disk is nearly full. */
  boolean isNearlyFull();

  /** Makes everything durable and lets the files go. Blocks; not for event loops. */
  @Override
  void close();

  /** How much of a record a reader wants. */
  enum Detail {
    /** Version and value. */
    RECORD,
    /** The version alone. */
    VERSION
  }
}
