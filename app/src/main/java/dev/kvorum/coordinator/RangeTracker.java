package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
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
 * Merges the members' records of a range in the order of their keys, and reports whose are missing.
 * Pure.
 *
 * <p>A key is passed once every member that still answers has shown where it is: a record of this
 * key or of a later one, or its end. So all that answer have voted on each key, and a member that
 * is lost counts as far as it came: for the keys up to its last record. Behind that, the others
 * must be enough without it.
 */
final class RangeTracker {
  /** Where a range stands. */
  enum Standing {
    /** More is to come. */
    OPEN,
    /** All of it has been taken. */
    COMPLETE,
    /** What follows cannot be known. */
    INCOMPLETE
  }

  private final RangeVotes votes;
  private final List<RangeSource> sources = new ArrayList<>();
  private final Set<MemberId> lost = new HashSet<>();
  private long recordsLeft;
  private Standing standing = Standing.OPEN;

  /**
   * A range of which nothing has been read.
   *
   * @param recordsMax live records after which it is complete
   */
  RangeTracker(RangeVotes votes, KeyRange range, long recordsMax) {
    this.votes = votes;
    this.recordsLeft = recordsMax;
    votes.members().forEach(member -> sources.add(new RangeSource(member, range)));
  }

  /** The members' records, by the numbers that this tracker calls the members. */
  List<RangeSource> sources() {
    return sources;
  }

  Standing standing() {
    return standing;
  }

  /** How many more records are wanted. */
  long recordsLeft() {
    return recordsLeft;
  }

  /** Takes a member's page. */
  void onPage(int member, List<Mutation> page, Optional<Key> next) {
    RangeSource source = sources.get(member);
    source.onPage(page, next);
    if (source.isLost()) {
      lost.add(source.member());
    }
  }

  /** Nothing more comes of a member. */
  void onLost(int member, RejectReason reason) {
    sources.get(member).onLost(reason);
    lost.add(sources.get(member).member());
  }

  /** Whether the range can be complete without this member and those lost already. */
  boolean canSpare(int member) {
    Set<MemberId> without = new HashSet<>(lost);
    without.add(sources.get(member).member());
    return votes.areEnoughWithout(without);
  }

  /**
   * The next live records; none when some are missing or there are no more; see {@link #standing}.
   *
   * @param nowMillis what expiry is judged by
   * @param recordsMax most records
   * @param bytesMax bytes of keys and values behind which no record is added
   */
  List<Mutation> take(long nowMillis, int recordsMax, int bytesMax) {
    List<Mutation> taken = new ArrayList<>();
    long bytes = 0;
    while (standing == Standing.OPEN && taken.size() < recordsMax && bytes < bytesMax) {
      Key key = nextKey();
      if (key == null) {
        break;
      }
      Mutation newest = merge(key);
      if (newest != null && newest.record().isLiveAt(nowMillis) && standing == Standing.OPEN) {
        taken.add(newest);
        bytes += key.bytes().length + (long) newest.record().value().length;
        recordsLeft--;
        standing = recordsLeft == 0 ? Standing.COMPLETE : Standing.OPEN;
      }
    }
    return taken;
  }

  /** The first key of all; null when that cannot be known yet, or when there is none. */
  private @Nullable Key nextKey() {
    if (!lost.isEmpty() && !areEnoughLeft()) {
      standing = Standing.INCOMPLETE;
      return null;
    }
    Key first = null;
    for (RangeSource source : sources) {
      Key head = source.head();
      if (head == null) {
        if (source.isOpen()) {
          return null;
        }
      } else if (first == null || head.compareTo(first) < 0) {
        first = head;
      }
    }
    if (first == null) {
      standing = Standing.COMPLETE;
    }
    return first;
  }

  private boolean areEnoughLeft() {
    for (RangeSource source : sources) {
      // One that has records left has voted on every key before them.
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
        // Others are leftovers from before its replicas changed, and may have been deleted since.
        if (votes.isReplica(source.member(), key, copy.record().from())
            && (newest == null || replaces(copy.record(), newest.record()))) {
          newest = copy;
        }
      }
    }
    if (newest != null && !votes.areEnough(key, newest.record().from())) {
      standing = Standing.INCOMPLETE;
    }
    return newest;
  }

  /** At equal versions a tombstone replaces the record: some member has seen it expire. */
  private static boolean replaces(Versioned copy, Versioned held) {
    int order = copy.version().compareTo(held.version());
    return order > 0 || (order == 0 && copy.tombstone());
  }

  /** The outcome of each member. */
  List<ReplicaOutcome> answers() {
    return sources.stream()
        .map(source -> new ReplicaOutcome(source.member(), source.label()))
        .toList();
  }
}
