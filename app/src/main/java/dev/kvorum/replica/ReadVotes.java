package dev.kvorum.replica;

import dev.kvorum.data.Key;

/** Whether what this replica does not hold may be taken for absent. */
public interface ReadVotes {
  /** A replica that has all that it should have. */
  ReadVotes WHOLE =
      new ReadVotes() {
        @Override
        public boolean has(Key key) {
          return true;
        }

        @Override
        public boolean hasAll() {
          return true;
        }
      };

  /** Whether it has a say in reads of this key. Called on any event loop, for every read. */
  boolean has(Key key);

  /** Whether it has a say in reads of all keys. */
  boolean hasAll();
}
