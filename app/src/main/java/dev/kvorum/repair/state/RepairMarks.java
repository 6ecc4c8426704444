package dev.kvorum.repair.state;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.WriteResult;
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

/** A member's persistent state of repair, by the names of its marks. */
public final class RepairMarks {
  /** Since when all slots are back, Unix milliseconds; 0 while they are not. */
  public static final String COMPLETE = "complete";

  /** A number for this store that no other store of this member has. */
  public static final String LIFE = "life";

  /** 1 once this member has found peers with records that it lacks. */
  public static final String REBUILDING = "rebuilding";

  /** The epoch that this store was made to join in; 0 where it did not join. */
  public static final String JOINED = "joined";

  /** 1 from the decision to reset the store until there is a fresh store. */
  public static final String RESETTING = "resetting";

  /** 1 once files of a corrupted store were deleted because their records are stored again. */
  public static final String SALVAGED = "salvaged";

  private static final int LIFE_SHIFT = 16;
  private static final String PULLED = "pulled/";
  private static final String PULLED_BY = "pulled-by/";
  private static final String PURGED_WITHOUT = "purged-without/";
  private static final String FOUNDED_WITH = "founded-with/";

  // Marks written by two clocks that agree differ by less.
  private static final long TOLERANCE_MILLIS = 5000;

  private final MarkStore marks;
  private final Executor loop;
  private final Supplier<OptionalLong> now;

  /**
   * The marks of a store.
   *
   * @param loop on which callbacks run
   * @param now Unix milliseconds with which marks are compared; empty while not known
   */
  public RepairMarks(MarkStore marks, Executor loop, Supplier<OptionalLong> now) {
    this.marks = marks;
    this.loop = loop;
    this.now = now;
  }

  /** The marks of this member, whichever store it has. */
  public static RepairMarks of(BackgroundContext context) {
    return new RepairMarks(context.marks(), context.loop(), context::majorityMillis);
  }

  /** Returns the marks of the current store; they do not follow a later replacement. */
  public RepairMarks ofThisStore() {
    return new RepairMarks(marks.ofThisStore(), loop, now);
  }

  /** Whether a mark was made by a clock that was ahead: its time has not come yet. */
  private boolean isFuture(long millis) {
    OptionalLong known = now.get();
    return known.isPresent() && millis - TOLERANCE_MILLIS > known.getAsLong();
  }

  /** Whether a mark may be replaced by an earlier one: no clock has reached its time. */
  static boolean isBeyond(long millis, long latestMillis) {
    return millis - TOLERANCE_MILLIS > latestMillis;
  }

  /** A cut in the future is ignored; it must not prevent the next session. */
  private long unlessFuture(long cut) {
    return isFuture(Version.millisOf(cut)) ? 0 : cut;
  }

  /**
   * The cut up to which this member has all records of a peer; 0 if they were never compared, or if
   * the mark is in the future.
   */
  public long pulled(MemberId peer) {
    return unlessFuture(pulledUnchecked(peer));
  }

  /**
   * As {@link #pulled}, but marks in the future count: a clock that was wrong must not make this
   * member reset its store.
   */
  public long pulledUnchecked(MemberId peer) {
    return marks.mark(PULLED + peer);
  }

  /**
   * The cut below which a session must not lower {@link #pulled}: one below what the peer has
   * purged would make this member reset its store. 0 where no clock has reached the cut.
   */
  public long pulledBefore(MemberId peer, long latestMillis) {
    long once = pulledUnchecked(peer);
    return isBeyond(Version.millisOf(once), latestMillis) ? 0 : once;
  }

  public static String pulledName(MemberId peer) {
    return PULLED + peer;
  }

  /** Up to which cut another member has reported that it has all that this one had; 0 as above. */
  public long pulledBy(MemberId peer) {
    return unlessFuture(marks.mark(PULLED_BY + peer));
  }

  /** Since when all slots are back, Unix milliseconds; 0 while they are not, or as above. */
  public long completeSince() {
    long since = marks.mark(COMPLETE);
    return isFuture(since) ? 0 : since;
  }

  public static String pulledByName(MemberId peer) {
    return PULLED_BY + peer;
  }

  /** When the last removal of tombstones without this peer began, Unix ms; 0 if never. */
  public long purgedWithout(MemberId peer) {
    return marks.mark(PURGED_WITHOUT + peer);
  }

  public static String purgedWithoutName(MemberId peer) {
    return PURGED_WITHOUT + peer;
  }

  /** A number for a store that is empty now. */
  public static long newLife(long wallMillis, long nanoTime) {
    return (wallMillis << LIFE_SHIFT) | (nanoTime & ((1 << LIFE_SHIFT) - 1));
  }

  /** When a life began, Unix milliseconds. */
  public static long beginOf(long life) {
    return life >>> LIFE_SHIFT;
  }

  /** Whether this store has never held anything, according to its marks. */
  public boolean isBlank() {
    return get(COMPLETE) == 0 && get(MarkStore.SET_ASIDE) == 0 && get(REBUILDING) == 0;
  }

  /** The request for another member's status, on behalf of this store. */
  public RepairRequest.AskStatus statusRequest(MemberId self) {
    return new RepairRequest.AskStatus(self, get(LIFE));
  }

  /** The life of another member's store when the cluster began; 0: it was not there. */
  public long foundedWith(MemberId peer) {
    return marks.mark(FOUNDED_WITH + peer);
  }

  static String foundedWithName(MemberId peer) {
    return FOUNDED_WITH + peer;
  }

  /** Marks that record with which members this one began the cluster. */
  public static List<Mark> foundedWithAll(Map<MemberId, Status> others) {
    List<Mark> all = new ArrayList<>();
    others.forEach((peer, status) -> all.add(new Mark(foundedWithName(peer), status.life())));
    return all;
  }

  public long get(String name) {
    return marks.mark(name);
  }

  /** Keeps a mark; {@code done} is notified whether it is durable. */
  public void keep(String name, long number, Consumer<Boolean> done) {
    marks.keepMark(
        name, number, loop, applied -> done.accept(applied instanceof WriteResult.Stored));
  }

  /** A mark to be kept. */
  public record Mark(String name, long number) {}

  /** Keeps marks one after the other and ends with the first that is not durable. */
  public void keepAll(Iterable<Mark> all, Consumer<Boolean> done) {
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
