package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.WriteResult;

/**
 * Whether this replica's replies count: after the loss of its disk it lacks what it held and
 * acknowledged. Read on any event loop, for every request.
 */
public interface VotingRights {
  /** A replica that has all that it should have. */
  VotingRights COMPLETE =
      new VotingRights() {
        @Override
        public boolean has(Key key) {
          return true;
        }

        @Override
        public boolean hasAll() {
          return true;
        }

        @Override
        public boolean isLost(Key key) {
          return false;
        }

        @Override
        public boolean isAnyLost(KeyRange range) {
          return false;
        }

        @Override
        public WriteResult onStored(Mutation mutation) {
          return WriteResult.Stored.STORED;
        }
      };

  /** Whether what it does not hold of this key may be taken for absent. */
  boolean has(Key key);

  /** Whether what it does not hold may be taken for absent, whatever the key. */
  boolean hasAll();

  /** Whether an absent record of this key may be one that was lost in a corrupted store. */
  boolean isLost(Key key);

  /** Whether a record that was lost in a corrupted store may be missing in a range. */
  boolean isAnyLost(KeyRange range);

  /**
   * The reply once a mutation is stored: {@code Stored} also means that this replica never had a
   * newer version.
   */
  WriteResult onStored(Mutation mutation);
}
