package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.WriteResult;

/**
 * Whether this replica's replies count. After the loss of its disk, it lacks records that it
 * acknowledged. Read on any event loop, for every request.
 */
public interface VotingRights {
  /** The rights of a replica that has all its records. */
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

        @Override
        public WriteResult onSuperseded(Mutation mutation, WriteResult.Superseded superseded) {
          return superseded;
        }
      };

  /** Returns whether a record of this key that is not stored is certainly absent. */
  boolean has(Key key);

  /** Returns whether any record that is not stored is certainly absent. */
  boolean hasAll();

  /** Returns whether an absent record of this key may have been lost in a corrupted store. */
  boolean isLost(Key key);

  /** Returns whether a record lost in a corrupted store may be missing in a range. */
  boolean isAnyLost(KeyRange range);

  /**
   * The reply after a mutation is stored. {@code Stored} also implies that this replica never had a
   * newer version.
   */
  WriteResult onStored(Mutation mutation);

  /**
   * The reply after a mutation met a newer version. {@code Superseded} also implies that the newest
   * version that this replica ever had is no newer than the one in the reply: the coordinator
   * writes above it, and is then done ({@code docs/adr/0005}).
   */
  WriteResult onSuperseded(Mutation mutation, WriteResult.Superseded superseded);
}
