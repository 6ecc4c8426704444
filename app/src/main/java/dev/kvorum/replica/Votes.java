package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Applied;

/**
 * What this replica's word is worth: one that lost its disk has forgotten what it held and met.
 * Asked on any event loop, for every request.
 */
public interface Votes {
  /** A replica that has all that it should have. */
  Votes WHOLE =
      new Votes() {
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
        public Applied onStored(Mutation mutation) {
          return Applied.Stored.STORED;
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
   * What to answer now that a mutation is stored: {@code Stored} says as well that this replica
   * never met a newer version.
   */
  Applied onStored(Mutation mutation);
}
