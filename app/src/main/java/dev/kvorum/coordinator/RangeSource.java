package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Buffers one member's records of a range, page by page. Pure. */
final class RangeSource {
  private final MemberId member;
  private final ArrayDeque<Mutation> records = new ArrayDeque<>();
  private final KeyOrder order;
  private KeyRange rest;
  private long bytes;
  private boolean asked;
  private boolean ended;
  private @Nullable RejectReason lost;

  RangeSource(MemberId member, KeyRange range, KeyOrder order) {
    this.member = member;
    this.order = order;
    this.rest = range;
  }

  MemberId member() {
    return member;
  }

  /** The part of the range that has not been read. */
  KeyRange rest() {
    return rest;
  }

  /**
   * Returns whether to request the next page: none is in flight and half of the last page is
   * consumed.
   */
  boolean isDue(ScanLimits page) {
    return isOpen()
        && !asked
        && 2 * records.size() <= page.recordsMax()
        && 2 * bytes <= page.bytesMax();
  }

  void onAsked() {
    asked = true;
  }

  /** Adds a page. A page that does not match the request counts as a failure of its member. */
  void onPage(List<Mutation> page, Optional<Key> next) {
    if (!isOpen()) {
      return;
    }
    asked = false;
    KeyRange left = rest;
    for (Mutation mutation : page) {
      if (!left.contains(mutation.key())) {
        onLost(RejectReason.STORAGE_FAILED);
        return;
      }
      left = order.rest(left, mutation.key());
      add(mutation);
    }
    if (next.isEmpty()) {
      ended = true;
    } else if (left.contains(next.get()) || isLast(page, next.get())) {
      left = order.rest(left, next.get());
    } else {
      onLost(RejectReason.STORAGE_FAILED);
    }
    rest = left;
  }

  private static boolean isLast(List<Mutation> page, Key key) {
    return !page.isEmpty() && page.getLast().key().equals(key);
  }

  private void add(Mutation mutation) {
    records.add(mutation);
    bytes += size(mutation);
  }

  private static int size(Mutation mutation) {
    return mutation.key().bytes().length + mutation.record().value().length;
  }

  /** Marks the member as lost. Records received before remain valid. */
  void onLost(RejectReason reason) {
    if (isOpen()) {
      lost = reason;
    }
  }

  /** Returns whether more records may arrive. */
  boolean isOpen() {
    return !ended && lost == null;
  }

  boolean isLost() {
    return lost != null;
  }

  /** The key of the next buffered record, or null. */
  @Nullable Key head() {
    Mutation first = records.peek();
    return first == null ? null : first.key();
  }

  /** Removes and returns the record at {@link #head}, which must not be null. */
  Mutation take() {
    Mutation first = records.remove();
    bytes -= size(first);
    return first;
  }

  /** The member's outcome, as a label. */
  String label() {
    return lost != null ? lost.label() : asked ? "pending" : "replied";
  }
}
