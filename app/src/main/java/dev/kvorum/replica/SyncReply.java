package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.util.List;
import java.util.Optional;

/** What comes back for a {@link SyncRequest}. */
public sealed interface SyncReply extends ReplicaReply {
  /**
   * Where a member stands.
   *
   * @param blank whether it has never held anything, according to its marks
   * @param bornTogether whether it was there when the cluster began, with the asker's very store
   * @param rebuilding whether it waits for its slots to be filled
   * @param salvaging whether it is still reading what its corrupted store holds, so that what it
   *     has is not all that it can give
   * @param wentOnWithout whether it removed tombstones while the asker's store was there, but away
   *     for long
   * @param removedUpTo newest stamp of the tombstones that it removed
   * @param clock stamp of the newest version that it has met or given
   * @param life of its store: a number that an emptied or lost one does not have again
   */
  record Status(
      boolean blank,
      boolean bornTogether,
      boolean rebuilding,
      boolean salvaging,
      boolean wentOnWithout,
      long removedUpTo,
      long clock,
      long life)
      implements SyncReply {
    /** Whether it removed tombstones that a member which pulled up to this stamp may not have. */
    public boolean hasRemovedSince(long pulledUpTo) {
      return wentOnWithout || (!rebuilding && removedUpTo > pulledUpTo);
    }
  }

  /** Digests in the order in which they were asked for. */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record Digests(int[] digests) implements SyncReply {}

  /** Digests are to be had at this newer cut only. */
  record Elsewhere(long cut) implements SyncReply {}

  /**
   * Versions in the wanted leaves, in the order of keys.
   *
   * @param next the last key that was looked at; empty at the end
   */
  record Listed(List<Held> held, Optional<Key> next) implements SyncReply {}

  /** For each range that was asked for, whether every record in it is known. */
  record Certain(List<Boolean> ranges) implements SyncReply {}

  /** It is done. */
  record Done() implements SyncReply {
    public static final Done DONE = new Done();
  }

  /**
   * What a replica holds under a key, without the value.
   *
   * @param checksum of what is there, which may not be what was stored
   */
  record Held(Key key, Version version, int from, boolean tombstone, int checksum) {}
}
