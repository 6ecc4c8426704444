package dev.kvorum.repair;

import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a member remembers of its repairs, under the names of its marks. */
final class RepairMarks {
  /** Since when all slots are back, Unix milliseconds; 0 while they are not. */
  static final String WHOLE = "whole";

  /** A number for this store that no other store of this member has. */
  static final String LIFE = "life";

  /** 1 once other members were met that hold more than this one. */
  static final String REBUILDING = "rebuilding";

  /** The epoch that this store was made to join in; 0 where it did not join. */
  static final String JOINED = "joined";

  /** 1 from the decision to start over until there is a fresh store. */
  static final String START_OVER = "start-over";

  private static final int LIFE_SHIFT = 16;
  private static final String PULLED = "pulled/";
  private static final String PULLED_BY = "pulled-by/";
  private static final String REMOVED_WITHOUT = "removed-without/";
  private static final String BORN_WITH = "born-with/";

  // What was noted by two clocks that agree differs by less.
  private static final long TOLERANCE_MILLIS = 5000;

  private final MarkStore marks;
  private final Executor loop;
  private final Supplier<OptionalLong> now;

  /**
   * The marks of a store.
   *
   * @param loop where answers are given
   * @param now the time that a mark's is compared with, Unix milliseconds; empty while not known
   */
  RepairMarks(MarkStore marks, Executor loop, Supplier<OptionalLong> now) {
    this.marks = marks;
    this.loop = loop;
    this.now = now;
  }

  /** The same of the store that is in use now, and of no other that takes its place. */
  RepairMarks ofThisStore() {
    return new RepairMarks(marks.ofThisStore(), loop, now);
  }

  /** Whether a mark was made by a clock that was ahead: its time has not come yet. */
  boolean isFuture(long millis) {
    OptionalLong known = now.get();
    return known.isPresent() && millis - TOLERANCE_MILLIS > known.getAsLong();
  }

  /** A cut that lies in the future says nothing, and must not keep the next one from being made. */
  private long unlessFuture(long cut) {
    return isFuture(cut >>> 16) ? 0 : cut;
  }

  /**
   * Up to which cut this member has all that another one had; 0: never compared, or noted by a
   * clock that was ahead.
   */
  long pulled(MemberId peer) {
    return unlessFuture(pulledOnce(peer));
  }

  /**
   * The same as it was noted, in the future too: so that a clock that was wrong does not by itself
   * make this member start over.
   */
  long pulledOnce(MemberId peer) {
    return marks.mark(PULLED + peer);
  }

  static String pulledName(MemberId peer) {
    return PULLED + peer;
  }

  /** Up to which cut another member has said that it has all that this one had; 0 as above. */
  long pulledBy(MemberId peer) {
    return unlessFuture(marks.mark(PULLED_BY + peer));
  }

  /** Since when all slots are back, Unix milliseconds; 0 while they are not, or as above. */
  long wholeSince() {
    long since = marks.mark(WHOLE);
    return isFuture(since) ? 0 : since;
  }

  static String pulledByName(MemberId peer) {
    return PULLED_BY + peer;
  }

  /** When tombstones last began to go though another member was away, Unix ms; 0: never. */
  long removedWithout(MemberId peer) {
    return marks.mark(REMOVED_WITHOUT + peer);
  }

  static String removedWithoutName(MemberId peer) {
    return REMOVED_WITHOUT + peer;
  }

  /** A number for a store that is empty now. */
  static long newLife(long wallMillis, long nanoTime) {
    return (wallMillis << LIFE_SHIFT) | (nanoTime & ((1 << LIFE_SHIFT) - 1));
  }

  /** When a life began, Unix milliseconds. */
  static long beginOf(long life) {
    return life >>> LIFE_SHIFT;
  }

  /** The life of another member's store when the cluster began; 0: it was not there. */
  long bornWith(MemberId peer) {
    return marks.mark(BORN_WITH + peer);
  }

  static String bornWithName(MemberId peer) {
    return BORN_WITH + peer;
  }

  /** Marks that remember whom this member began the cluster with. */
  static List<Mark> bornWithAll(Map<MemberId, Status> others) {
    List<Mark> all = new ArrayList<>();
    others.forEach((peer, status) -> all.add(new Mark(bornWithName(peer), status.life())));
    return all;
  }

  long get(String name) {
    return marks.mark(name);
  }

  /** Keeps a mark; whoever waits is told whether it is durable. */
  void keep(String name, long number, Consumer<Boolean> done) {
    marks.keepMark(name, number, loop, applied -> done.accept(applied instanceof Applied.Stored));
  }

  /** A mark to be kept. */
  record Mark(String name, long number) {}

  /** Keeps marks one after the other and ends with the first that is not durable. */
  void keepAll(Iterable<Mark> all, Consumer<Boolean> done) {
    Queue<Mark> queue = new ArrayDeque<>();
    all.forEach(queue::add);
    keepNext(queue, done);
  }

  private void keepNext(Queue<Mark> queue, Consumer<Boolean> done) {
    Mark next = queue.poll();
    if (next == null) {
      done.accept(true);
    } else {
      keep(
          next.name(),
          next.number(),
          kept -> {
            if (kept) {
              keepNext(queue, done);
            } else {
              done.accept(false);
            }
          });
    }
  }
}
