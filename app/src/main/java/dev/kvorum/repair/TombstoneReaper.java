package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Window;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairMarks.Mark;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes tombstones of what has expired, and removes those that nobody needs any more: every other
 * member is known to have it or something newer, at a cut that is {@code tombstoneAgeMin} younger,
 * so that neither a hint nor a write that wandered about can bring back what it deleted.
 *
 * <p>A member that has been away for longer than the horizon does not count, as long as a majority
 * does; it has to begin anew when it is back. One at a time: with a second one away, or the first
 * one still beginning anew, nothing is removed. Lives on one event loop.
 */
final class TombstoneReaper {
  /** Of two that start over at once nobody else may hold what both have acknowledged. */
  private static final int STARTING_OVER_MAX = 1;

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final Coverage coverage;
  private final BooleanSupplier whole;
  private final long offsetMillis;
  private final Map<MemberId, Long> heardMillis = new HashMap<>();
  private long startMillis;

  /**
   * A reaper.
   *
   * @param whole whether this member has all that it should have
   * @param offsetMillis how far clocks may be apart
   */
  TombstoneReaper(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Coverage coverage,
      BooleanSupplier whole,
      long offsetMillis) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
    this.coverage = coverage;
    this.whole = whole;
    this.offsetMillis = offsetMillis;
    this.startMillis = ground.wallMillis();
  }

  /** Nobody could compare itself for a while: all get the time to be heard again. */
  void rested() {
    startMillis = ground.wallMillis();
  }

  /** A member compares itself, or is about to: from now on nothing is removed without it. */
  void heard(MemberId member) {
    heardMillis.put(member, ground.wallMillis());
  }

  /** The stamp up to which tombstones may go; 0 when none may. */
  long removableUpTo() {
    if (!whole.getAsBoolean()) {
      return 0;
    }
    List<MemberId> peers = ground.peers().get();
    List<MemberId> counting = peers.stream().filter(this::counts).toList();
    if (2 * (counting.size() + 1) <= peers.size() + 1
        || peers.stream().filter(this::startsOver).count() > STARTING_OVER_MAX) {
      return 0;
    }
    long upTo = Math.min(coverage.upTo(counting), Coverage.stamp(ground.wallMillis()));
    for (MemberId member : counting) {
      upTo = Math.min(upTo, marks.pulled(member));
    }
    return Math.max(0, upTo - Coverage.stamp(settings.tombstoneAgeMin().toMillis()));
  }

  /**
   * Up to which stamp every member that counts has said that it is equal: what is older may be gone
   * from some, what is newer waits for one of them and belongs into the trees however old it is. In
   * coarse steps, so that members come to the same one.
   */
  long comparedUpTo() {
    long step = Coverage.stamp(Math.max(4, settings.tombstoneAgeMin().toMillis()) / 4);
    long upTo =
        ground.peers().get().stream()
            .filter(this::counts)
            .mapToLong(marks::pulledBy)
            .min()
            .orElse(Long.MAX_VALUE);
    return upTo - upTo % step;
  }

  /**
   * Whether tombstones went that a member's store may not have seen: that store was there, and away
   * for the whole horizon. Half of it is enough to tell, and lets clocks be apart.
   */
  boolean hasGoneOnWithout(MemberId member, long life) {
    long last = marks.removedWithout(member);
    return last != 0
        && life != 0
        && last >= RepairMarks.beginOf(life) + settings.horizon().toMillis() / 2;
  }

  private boolean counts(MemberId member) {
    return ground.wallMillis() - lastHeardMillis(member) <= settings.horizon().toMillis();
  }

  /** Whether a member has to begin anew if something is removed now, or has to already. */
  private boolean startsOver(MemberId member) {
    return !counts(member) || marks.pulledBy(member) >>> 16 < marks.removedWithout(member);
  }

  private long lastHeardMillis(MemberId member) {
    long horizonMillis = settings.horizon().toMillis();
    // After a start, or a rest, members get the time to be heard again.
    long atStart = startMillis - horizonMillis + 2 * settings.interval().toMillis();
    long known = Math.max(marks.pulledBy(member) >>> 16, marks.get(RepairMarks.WHOLE));
    return Math.max(Math.max(atStart, known), heardMillis.getOrDefault(member, 0L));
  }

  /**
   * Sees to some records that were just read, {@code window} of them at a time.
   *
   * @param cutMillis records that expired by then are entombed
   * @param done run once all is done that can be
   */
  void tidy(List<Mutation> records, long cutMillis, Runnable done) {
    long removable = removableUpTo();
    List<Window.Step> work = new ArrayList<>();
    boolean removes = false;
    for (Mutation mutation : records) {
      Key key = mutation.key();
      Versioned record = mutation.record();
      if (!ground.layouts().get().keeps(ground.self(), key, record.from())) {
        // A leftover of former members' slots goes with all the others of its kind.
        continue;
      }
      if (record.tombstone() && record.version().stamp() <= removable) {
        work.add((index, end) -> remove(key, record.version(), end));
        removes = true;
      } else if (!record.tombstone() && !record.isLiveAt(cutMillis - offsetMillis)) {
        work.add((index, end) -> entomb(key, record.version(), end));
      }
    }
    Window.Step each = (index, end) -> work.get(index).begin(index, end);
    Window all = new Window(settings.window(), work.size(), each, allDone -> done.run());
    // Those that do not count have to be told when they are back, whatever becomes of this node.
    marks.keepAll(
        removes ? leavingBehind() : List.of(),
        kept -> {
          if (kept) {
            all.start();
          } else {
            done.run();
          }
        });
  }

  /** Marks for members that have been heard since something was removed without them, if ever. */
  private List<Mark> leavingBehind() {
    long now = ground.wallMillis();
    return ground.peers().get().stream()
        .filter(member -> !counts(member))
        .filter(member -> marks.removedWithout(member) <= lastHeardMillis(member))
        .map(member -> new Mark(RepairMarks.removedWithoutName(member), now))
        .toList();
  }

  private void remove(Key key, Version version, Consumer<Boolean> end) {
    ground
        .store()
        .remove(
            key,
            version,
            ground.loop(),
            applied -> {
              if (applied instanceof Applied.Stored) {
                ground.meters().tombstoneRemoved();
              }
              end.accept(applied instanceof Applied.Stored);
            });
  }

  private void entomb(Key key, Version version, Consumer<Boolean> end) {
    ground
        .store()
        .entomb(
            key,
            version,
            ground.loop(),
            applied -> {
              if (applied instanceof Applied.Stored) {
                ground.meters().recordEntombed();
              }
              end.accept(applied instanceof Applied.Stored);
            });
  }
}
