package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One member's records of a range as they come in, page by page. Pure. */
final class RangeSource {
  private final MemberId member;
  private final ArrayDeque<Mutation> records = new ArrayDeque<>();
  private KeyRange rest;
  private long bytes;
  private boolean asked;
  private boolean ended;
  private @Nullable RejectReason lost;

  RangeSource(MemberId member, KeyRange range) {
    this.member = member;
    this.rest = range;
  }

  MemberId member() {
    return member;
  }

  /** What has not been read. */
  KeyRange rest() {
    return rest;
  }

  /** Whether to ask for the next page: none is under way and half of the last one is used up. */
  boolean isDue(ScanLimits page) {
    return isOpen()
        && !asked
        && 2 * records.size() <= page.recordsMax()
        && 2 * bytes <= page.bytesMax();
  }

  void onAsked() {
    asked = true;
  }

  /** Takes a page; one that is not what was asked for counts as a failure of its member. */
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
      left = left.after(mutation.key());
      add(mutation);
    }
    if (next.isEmpty()) {
      ended = true;
    } else if (left.contains(next.get()) || (!page.isEmpty() && left.start().equals(next))) {
      left = left.after(next.get());
    } else {
      onLost(RejectReason.STORAGE_FAILED);
    }
    rest = left;
  }

  private void add(Mutation mutation) {
    records.add(mutation);
    bytes += size(mutation);
  }

  private static int size(Mutation mutation) {
    return mutation.key().bytes().length + mutation.record().value().length;
  }

  /** Nothing more comes of it; what has come counts. */
  void onLost(RejectReason reason) {
    if (isOpen()) {
      lost = reason;
    }
  }

  /** Whether more is to come. */
  boolean isOpen() {
    return !ended && lost == null;
  }

  boolean isLost() {
    return lost != null;
  }

  /** The next key that it has, or null. */
  @Nullable Key head() {
    Mutation first = records.peek();
    return first == null ? null : first.key();
  }

  /** Takes what is at {@link #head}, which must not be null. */
  Mutation take() {
    Mutation first = records.remove();
    bytes -= size(first);
    return first;
  }

  /** Its outcome, as a label. */
  String label() {
    return lost != null ? lost.label() : asked ? "pending" : "answered";
  }
}
