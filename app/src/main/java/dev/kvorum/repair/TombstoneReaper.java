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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
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
  // By the monotone clock: a wall clock that jumps makes nobody silent, and nobody heard for ever.
  private final Map<MemberId, Long> heardNanos = new HashMap<>();
  private long startNanos;

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
    this.startNanos = ground.nanoTime().getAsLong();
  }

  /** Nobody could compare itself for a while: all get the time to be heard again. */
  void rested() {
    startNanos = ground.nanoTime().getAsLong();
  }

  /** A member compares itself, or is about to: from now on nothing is removed without it. */
  void heard(MemberId member) {
    heardNanos.put(member, ground.nanoTime().getAsLong());
  }

  /** The stamp up to which tombstones may go; 0 when none may. */
  long removableUpTo() {
    OptionalLong now = ground.trustedMillis();
    if (!whole.getAsBoolean() || now.isEmpty()) {
      return 0;
    }
    List<MemberId> peers = ground.peers().get();
    List<MemberId> counting = peers.stream().filter(this::counts).toList();
    if (2 * (counting.size() + 1) <= peers.size() + 1
        || peers.stream().filter(this::startsOver).count() > STARTING_OVER_MAX) {
      return 0;
    }
    long upTo = Math.min(coverage.upTo(counting), Coverage.stamp(now.getAsLong()));
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
    if (ground.majorityMillis().isEmpty()) {
      return 0;
    }
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
    // It happened by now, whatever a clock that was ahead has noted.
    long last = Math.min(marks.removedWithout(member), ground.likelyMillis());
    return last != 0
        && life != 0
        && last >= RepairMarks.beginOf(life) + settings.horizon().toMillis() / 2;
  }

  /**
   * Whether a record outweighs a tombstone of its own version, which somebody's clock made of it
   * too early: its expiry is still to come on every clock that is right. At the latest then the
   * tombstone wins, so that it comes to the same wherever and however often it is asked.
   */
  boolean isSurelyLive(Versioned record) {
    OptionalLong now = ground.majorityMillis();
    return now.isPresent() && record.isLiveAt(now.getAsLong() + offsetMillis);
  }

  /** Whether a record's expiry is over on every clock that is right. */
  boolean isSurelyExpired(Versioned record) {
    OptionalLong now = ground.majorityMillis();
    return now.isPresent()
        && !record.tombstone()
        && !record.isLiveAt(now.getAsLong() - offsetMillis);
  }

  private boolean counts(MemberId member) {
    return silentMillis(member) <= settings.horizon().toMillis();
  }

  /** Whether a member has to begin anew if something is removed now, or has to already. */
  private boolean startsOver(MemberId member) {
    return !counts(member) || marks.pulledBy(member) >>> 16 < marks.removedWithout(member);
  }

  /** For how long nothing has been heard of a member. */
  private long silentMillis(MemberId member) {
    long now = ground.nanoTime().getAsLong();
    // After a start, or a rest, members get the time to be heard again.
    long grace = 2 * settings.interval().toMillis();
    long sinceStart = TimeUnit.NANOSECONDS.toMillis(now - startNanos);
    long silent = settings.horizon().toMillis() - grace + sinceStart;
    Long heard = heardNanos.get(member);
    if (heard != null) {
      silent = Math.min(silent, TimeUnit.NANOSECONDS.toMillis(now - heard));
    }
    OptionalLong wallMillis = ground.majorityMillis();
    if (wallMillis.isPresent()) {
      long noted = Math.max(marks.pulledBy(member) >>> 16, marks.wholeSince());
      silent = Math.min(silent, wallMillis.getAsLong() - noted);
    }
    return silent;
  }

  /**
   * Sees to some records that were just read, {@code window} of them at a time.
   *
   * @param cutMillis records that expired by then are entombed, unless this machine's clock is
   *     suspended or the cut lies in the future
   * @param done run once all is done that can be
   */
  void tidy(List<Mutation> records, long cutMillis, Runnable done) {
    long removable = removableUpTo();
    OptionalLong now = ground.trustedMillis();
    long expiredBy =
        now.isPresent() ? Math.min(cutMillis, now.getAsLong()) - offsetMillis : Long.MIN_VALUE;
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
      } else if (!record.tombstone() && !record.isLiveAt(expiredBy)) {
        work.add((index, end) -> entomb(key, record.version(), end));
      }
    }
    Window.Step each = (index, end) -> work.get(index).begin(index, end);
    Window all = new Window(settings.window(), work.size(), each, allDone -> done.run());
    // Those that do not count have to be told when they are back, whatever becomes of this node.
    marks.keepAll(
        removes && now.isPresent() ? leavingBehind(now.getAsLong()) : List.of(),
        kept -> {
          if (kept) {
            all.start();
          } else {
            done.run();
          }
        });
  }

  /** Marks for members that have been heard since something was removed without them, if ever. */
  private List<Mark> leavingBehind(long now) {
    return ground.peers().get().stream()
        .filter(member -> !counts(member))
        .filter(member -> marks.removedWithout(member) <= now - silentMillis(member))
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
