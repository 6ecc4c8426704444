package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairMarks.Mark;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.WriteResult;
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
 * Makes tombstones of what has expired, and removes those that no member needs any more: every
 * other member is known to have it or something newer, at a cut that is {@code tombstoneAgeMin}
 * younger, so that neither a hint nor a delayed write can bring back what it deleted.
 *
 * <p>A member that has been away for longer than the horizon does not count, as long as a majority
 * does; it has to start again when it is back. One at a time: with a second one away, or the first
 * one still beginning again, nothing is removed. Lives on one event loop.
 */
final class TombstoneReaper {
  /** If two start over at once, no other member may hold what both have acknowledged. */
  private static final int STARTING_OVER_MAX = 1;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final PeerWatermarks watermarks;
  private final BooleanSupplier complete;
  private final CompletePeersCheck completePeers;
  private final long offsetMillis;
  // By the monotone clock: a jump of the wall clock neither ages nor renews a contact.
  private final Map<MemberId, Long> contactNanos = new HashMap<>();
  private long startNanos;

  /**
   * A reaper.
   *
   * @param complete whether this member has all that it should have
   * @param offsetMillis how far clocks may be apart
   */
  public TombstoneReaper(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      PeerWatermarks watermarks,
      BooleanSupplier complete,
      long offsetMillis) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.watermarks = watermarks;
    this.complete = complete;
    this.completePeers = new CompletePeersCheck(context, settings, marks);
    this.offsetMillis = offsetMillis;
    this.startNanos = context.nanoTime().getAsLong();
  }

  /** Nobody could compare itself for a while: all get the time to be in contact again. */
  public void rested() {
    startNanos = context.nanoTime().getAsLong();
  }

  /** A member compares itself, or is about to: from now on nothing is removed without it. */
  public void contacted(MemberId member) {
    contactNanos.put(member, context.nanoTime().getAsLong());
  }

  /** The stamp up to which tombstones may go; 0 when none may. */
  long removableUpTo() {
    OptionalLong now = context.trustedMillis();
    if (!complete.getAsBoolean() || now.isEmpty()) {
      return 0;
    }
    List<MemberId> peers = context.peers().get();
    List<MemberId> counting = peers.stream().filter(this::counts).toList();
    if (2 * (counting.size() + 1) <= peers.size() + 1
        || peers.stream().filter(this::startsOver).count() > STARTING_OVER_MAX) {
      return 0;
    }
    long upTo = Math.min(watermarks.upTo(counting), Version.stampOf(now.getAsLong()));
    for (MemberId member : counting) {
      upTo = Math.min(upTo, marks.pulled(member));
    }
    return Math.max(0, upTo - Version.stampOf(settings.tombstoneAgeMin().toMillis()));
  }

  /**
   * Up to which stamp every member that counts has reported that it is equal: some may have purged
   * what is older; what is newer waits for one of them and belongs into the trees, whatever its
   * age. In coarse steps, so that members come to the same one.
   */
  long comparedUpTo() {
    if (context.majorityMillis().isEmpty()) {
      return 0;
    }
    long step = Version.stampOf(Math.max(4, settings.tombstoneAgeMin().toMillis()) / 4);
    long upTo =
        context.peers().get().stream()
            .filter(this::counts)
            .mapToLong(marks::pulledBy)
            .min()
            .orElse(Long.MAX_VALUE);
    return upTo - upTo % step;
  }

  /**
   * Whether tombstones were purged that a member's store may not have seen: that store existed, and
   * was away for the whole horizon. Half of the horizon suffices for the test and leaves room for
   * clock offsets.
   */
  boolean hasGoneOnWithout(MemberId member, long life) {
    // The purge lies in the past, even where a clock that ran ahead recorded a later time.
    long last = Math.min(marks.removedWithout(member), context.likelyMillis());
    return last != 0
        && life != 0
        && last >= RepairMarks.beginOf(life) + settings.horizon().toMillis() / 2;
  }

  /**
   * Whether a record outweighs a tombstone of its own version, which a fast clock made of it too
   * early: its expiry is still in the future on every correct clock. At the latest then the
   * tombstone wins, so that it comes to the same wherever and however often it is asked.
   */
  boolean isSurelyLive(Versioned record) {
    OptionalLong now = context.majorityMillis();
    return now.isPresent() && record.isLiveAt(now.getAsLong() + offsetMillis);
  }

  /** Whether a record's expiry is over on every clock that is right. */
  boolean isSurelyExpired(Versioned record) {
    OptionalLong now = context.majorityMillis();
    return now.isPresent()
        && !record.tombstone()
        && !record.isLiveAt(now.getAsLong() - offsetMillis);
  }

  private boolean counts(MemberId member) {
    return silentMillis(member) <= settings.horizon().toMillis();
  }

  /** Whether a member has to start again if something is removed now, or has to already. */
  private boolean startsOver(MemberId member) {
    return !counts(member)
        || Version.millisOf(marks.pulledBy(member)) < marks.removedWithout(member);
  }

  /** For how long nothing has been received from a member. */
  private long silentMillis(MemberId member) {
    long now = context.nanoTime().getAsLong();
    // After a start, or a rest, members get the time to be in contact again.
    long grace = 2 * settings.interval().toMillis();
    long sinceStart = TimeUnit.NANOSECONDS.toMillis(now - startNanos);
    long silent = settings.horizon().toMillis() - grace + sinceStart;
    Long contacted = contactNanos.get(member);
    if (contacted != null) {
      silent = Math.min(silent, TimeUnit.NANOSECONDS.toMillis(now - contacted));
    }
    OptionalLong wallMillis = context.majorityMillis();
    if (wallMillis.isPresent()) {
      long noted = Math.max(Version.millisOf(marks.pulledBy(member)), marks.completeSince());
      silent = Math.min(silent, wallMillis.getAsLong() - noted);
    }
    return silent;
  }

  /**
   * Tidies up some records that were just read, {@code window} of them at a time.
   *
   * @param cutMillis records that expired by then become tombstones, unless this machine's clock is
   *     suspended or the cut lies in the future
   * @param done run once all is done that can be
   */
  void tidy(List<Mutation> records, long cutMillis, Runnable done) {
    long removable = removableUpTo();
    OptionalLong now = context.trustedMillis();
    long expiredBy =
        now.isPresent() ? Math.min(cutMillis, now.getAsLong()) - offsetMillis : Long.MIN_VALUE;
    List<BoundedParallel.Step> removals = new ArrayList<>();
    List<BoundedParallel.Step> expiries = new ArrayList<>();
    for (Mutation mutation : records) {
      Key key = mutation.key();
      Versioned record = mutation.record();
      if (!context.layouts().get().keeps(context.self(), key, record.from())) {
        // A leftover of former members' slots goes with all the others of its kind.
        continue;
      }
      if (record.tombstone() && record.version().stamp() <= removable) {
        removals.add((index, end) -> remove(key, record.version(), end));
      } else if (!record.tombstone() && !record.isLiveAt(expiredBy)) {
        expiries.add((index, end) -> expire(key, record.version(), end));
      }
    }
    List<Mark> left =
        removals.isEmpty() || now.isEmpty() ? List.of() : leavingBehind(now.getAsLong());
    if (left.isEmpty()) {
      expiries.addAll(removals);
      run(expiries, done);
      return;
    }
    completePeers.ask(
        context.peers().get().stream().filter(this::counts).toList(),
        complete -> {
          // One that is back meanwhile counts again.
          if (complete && removableUpTo() >= removable) {
            expiries.addAll(removals);
            // They must be notified when they return, even if this node is lost.
            marks.keepAll(
                left,
                kept -> {
                  if (kept) {
                    run(expiries, done);
                  } else {
                    done.run();
                  }
                });
          } else {
            run(expiries, done);
          }
        });
  }

  private void run(List<BoundedParallel.Step> work, Runnable done) {
    BoundedParallel.Step each = (index, end) -> work.get(index).begin(index, end);
    new BoundedParallel(settings.window(), work.size(), each, allDone -> done.run()).start();
  }

  /** Marks for members that have replied since something was removed without them, if ever. */
  private List<Mark> leavingBehind(long now) {
    return context.peers().get().stream()
        .filter(member -> !counts(member))
        .filter(member -> marks.removedWithout(member) <= now - silentMillis(member))
        .map(member -> new Mark(RepairMarks.removedWithoutName(member), now))
        .toList();
  }

  private void remove(Key key, Version version, Consumer<Boolean> end) {
    context
        .store()
        .remove(
            key,
            version,
            context.loop(),
            applied -> {
              if (applied instanceof WriteResult.Stored) {
                context.meters().tombstoneRemoved();
              }
              end.accept(applied instanceof WriteResult.Stored);
            });
  }

  private void expire(Key key, Version version, Consumer<Boolean> end) {
    context
        .store()
        .expire(
            key,
            version,
            context.loop(),
            applied -> {
              if (applied instanceof WriteResult.Stored) {
                context.meters().recordExpired();
              }
              end.accept(applied instanceof WriteResult.Stored);
            });
  }
}
