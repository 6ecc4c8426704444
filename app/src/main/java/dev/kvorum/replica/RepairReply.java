package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.util.List;
import java.util.Optional;

/** Reply to a {@link RepairRequest}. */
public sealed interface RepairReply extends ReplicaReply {
  /**
   * Status of a member.
   *
   * @param blank whether it has never had records, according to its marks
   * @param foundedTogether whether it was present when the cluster was founded, together with the
   *     requester's current store
   * @param rebuilding whether it waits for its slots to be refilled
   * @param salvaging whether it is still reading its corrupted store, so that it may have more
   *     records later
   * @param purgedWithoutAsker whether it removed tombstones while the requester's store existed but
   *     was absent for long
   * @param purgedUpTo newest stamp of the tombstones that it removed
   * @param clock stamp of the newest version that it has issued or received
   * @param life number of its store, which an emptied or replaced store does not have again
   */
  record Status(
      boolean blank,
      boolean foundedTogether,
      boolean rebuilding,
      boolean salvaging,
      boolean purgedWithoutAsker,
      long purgedUpTo,
      long clock,
      long life)
      implements RepairReply {
    /** Returns whether it removed tombstones that a member with pulls up to this stamp may lack. */
    public boolean hasPurgedSince(long pulledUpTo) {
      return purgedWithoutAsker || (!rebuilding && purgedUpTo > pulledUpTo);
    }
  }

  /** Digests in the order of the request. */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record Digests(int[] digests) implements RepairReply {}

  /** Digests are available at this newer cut only. */
  record CutMoved(long cut) implements RepairReply {}

  /**
   * Versions in the wanted leaves, in key order.
   *
   * @param next the last key that was scanned; empty at the end
   */
  record Listed(List<Held> held, Optional<Key> next) implements RepairReply {}

  /**
   * For each requested range, whether the member has each record in it that it ever acknowledged.
   */
  record Certain(List<Boolean> ranges) implements RepairReply {}

  /** The request has been carried out. */
  record Done() implements RepairReply {
    public static final Done DONE = new Done();
  }

  /**
   * Metadata of a replica's record, without the value.
   *
   * @param checksum checksum of the bytes that were read, which may differ from those stored
   */
  record Held(Key key, Version version, int from, boolean tombstone, int checksum) {}
}
