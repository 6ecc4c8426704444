package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges the members' records of a range in the order of their keys and detects missing replies.
 * Pure.
 *
 * <p>A key is emitted once each member that still replies has sent this key, a later key, or the
 * end of its range. All replying members have then voted on the key. A lost member votes on the
 * keys up to its last record. Behind that record, the remaining members must suffice without it.
 */
final class RangeMerger {
  /** State of a range read. */
  enum Status {
    /** More records may follow. */
    OPEN,
    /** All records have been taken. */
    COMPLETE,
    /** The rest of the range cannot be determined. */
    INCOMPLETE
  }

  private final RangeVotes votes;
  private final List<RangeSource> sources = new ArrayList<>();
  private final Set<MemberId> lost = new HashSet<>();
  private final KeyOrder order;
  private long recordsLeft;
  private Status status = Status.OPEN;

  /**
   * Creates a merger for an unread range.
   *
   * @param recordsMax number of live records after which the range is complete
   */
  RangeMerger(RangeVotes votes, KeyRange range, KeyOrder order, long recordsMax) {
    this.votes = votes;
    this.order = order;
    this.recordsLeft = recordsMax;
    votes.members().forEach(member -> sources.add(new RangeSource(member, range, order)));
  }

  /** The members' sources; a member's index is its number in this merger. */
  List<RangeSource> sources() {
    return sources;
  }

  Status status() {
    return status;
  }

  /** How many more records are requested. */
  long recordsLeft() {
    return recordsLeft;
  }

  /** Adds a member's page. */
  void onPage(int member, List<Mutation> page, Optional<Key> next) {
    RangeSource source = sources.get(member);
    source.onPage(page, next);
    if (source.isLost()) {
      lost.add(source.member());
    }
  }

  /** Marks a member as lost. */
  void onLost(int member, RejectReason reason) {
    sources.get(member).onLost(reason);
    lost.add(sources.get(member).member());
  }

  /** Returns whether the range can be complete without this member and those already lost. */
  boolean canSpare(int member) {
    Set<MemberId> without = new HashSet<>(lost);
    without.add(sources.get(member).member());
    return votes.areEnoughWithout(without);
  }

  /**
   * Takes the next live records. The list is empty when replies are missing or the range has ended;
   * see {@link #status}.
   *
   * @param nowMillis time by which expiry is decided
   * @param recordsMax largest number of records
   * @param bytesMax size of keys and values in bytes from which on no record is added
   */
  List<Mutation> take(long nowMillis, int recordsMax, int bytesMax) {
    List<Mutation> taken = new ArrayList<>();
    long bytes = 0;
    while (status == Status.OPEN && taken.size() < recordsMax && bytes < bytesMax) {
      Key key = nextKey();
      if (key == null) {
        break;
      }
      Mutation newest = merge(key);
      if (newest != null && newest.record().isLiveAt(nowMillis) && status == Status.OPEN) {
        taken.add(newest);
        bytes += key.bytes().length + (long) newest.record().value().length;
        recordsLeft--;
        status = recordsLeft == 0 ? Status.COMPLETE : Status.OPEN;
      }
    }
    return taken;
  }

  /** The next key of all sources, or null when it is not known yet or there is none. */
  private @Nullable Key nextKey() {
    if (!lost.isEmpty() && !areEnoughLeft()) {
      status = Status.INCOMPLETE;
      return null;
    }
    Key first = null;
    for (RangeSource source : sources) {
      Key head = source.head();
      if (head == null) {
        if (source.isOpen()) {
          return null;
        }
      } else if (first == null || order.isBefore(head, first)) {
        first = head;
      }
    }
    if (first == null) {
      status = Status.COMPLETE;
    }
    return first;
  }

  private boolean areEnoughLeft() {
    for (RangeSource source : sources) {
      // A lost member with buffered records has voted on all keys before them.
      if (source.isLost() && source.head() == null && lost.remove(source.member())) {
        votes.lose(source.member());
      }
    }
    return votes.areEnough();
  }

  private @Nullable Mutation merge(Key key) {
    Mutation newest = null;
    for (RangeSource source : sources) {
      Key head = source.head();
      if (head != null && head.equals(key)) {
        Mutation copy = source.take();
        // Other copies are leftovers of earlier replicas; the record may have been deleted since.
        if (votes.isReplica(source.member(), key, copy.record().from())
            && (newest == null || replaces(copy.record(), newest.record()))) {
          newest = copy;
        }
      }
    }
    if (newest != null && !votes.areEnough(key, newest.record().from())) {
      status = Status.INCOMPLETE;
    }
    return newest;
  }

  /** At equal versions, a tombstone replaces the record: a member has seen it expire. */
  private static boolean replaces(Versioned copy, Versioned held) {
    int order = copy.version().compareTo(held.version());
    return order > 0 || (order == 0 && copy.tombstone());
  }

  /** The outcome of each member. */
  List<ReplicaOutcome> replies() {
    return sources.stream()
        .map(source -> new ReplicaOutcome(source.member(), source.label()))
        .toList();
  }
}
