package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairMarks.Mark;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Decides which expired records become tombstones and which tombstones no member needs any more; a
 * {@link PurgeRun} of it expires and removes them. A tombstone is removed once every counting peer
 * has it, or something newer, at a cut that is {@code tombstoneAgeMin} younger: then neither a hint
 * nor a delayed write can bring back what it deleted.
 *
 * <p>A peer that has been away for longer than the horizon does not count, as long as a majority
 * does; it has to reset its store when it returns. One peer at a time: while a second one is away,
 * or the first one has not reset its store yet, nothing is removed. Confined to one event loop.
 */
final class TombstonePurger {
  /** If two peers reset their stores at once, no third may hold what both have acknowledged. */
  private static final int RESETTING_MAX = 1;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final PeerWatermarks watermarks;
  private final BooleanSupplier complete;
  private final CompletePeersCheck completePeers;
  private final long offsetMillis;
  // By the monotonic clock: a jump of the wall clock neither ages nor renews a contact.
  private final Map<MemberId, Long> contactNanos = new HashMap<>();
  private long startNanos;

  /**
   * A purger.
   *
   * @param complete whether this member has all of its slots
   */
  TombstonePurger(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      PeerWatermarks watermarks,
      BooleanSupplier complete) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.watermarks = watermarks;
    this.complete = complete;
    this.completePeers = new CompletePeersCheck(context, settings, marks);
    this.offsetMillis = context.maxOffsetMillis();
    this.startNanos = context.nanoTime().getAsLong();
  }

  /** Restarts the grace period in which peers make contact: no sessions run during a change. */
  void onLayoutChanged() {
    startNanos = context.nanoTime().getAsLong();
  }

  /** Records contact by a peer: from now on no tombstone is removed without it. */
  void contacted(MemberId member) {
    assert context.isOnLoop();
    contactNanos.put(member, context.nanoTime().getAsLong());
  }

  /** The stamp up to which tombstones may go; 0 when none may. */
  long purgeableUpTo() {
    OptionalLong now = context.trustedMillis();
    if (!complete.getAsBoolean() || now.isEmpty()) {
      return 0;
    }
    List<MemberId> peers = context.peers().get();
    List<MemberId> counting = counting();
    if (2 * (counting.size() + 1) <= peers.size() + 1
        || peers.stream().filter(this::mustReset).count() > RESETTING_MAX) {
      return 0;
    }
    long upTo = Math.min(watermarks.upTo(counting), Version.stampOf(now.getAsLong()));
    for (MemberId member : counting) {
      upTo = Math.min(upTo, marks.pulled(member));
    }
    return Math.max(0, upTo - Version.stampOf(settings.tombstoneAgeMin().toMillis()));
  }

  /**
   * The stamp up to which every counting peer has reported a completed session with this member.
   * Older tombstones may have been removed by some; newer ones belong into the trees, whatever
   * their age. Rounded down to coarse steps, so that members arrive at the same stamp.
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
   * Whether tombstones were removed that a peer's store may never have received: the store existed
   * then and had been away for the whole horizon. The test uses half of the horizon, which leaves
   * room for clock offsets.
   */
  boolean hasPurgedWithout(MemberId member, long life) {
    // The purge lies in the past, even where a clock that ran ahead recorded a later time.
    long last = Math.min(marks.purgedWithout(member), context.likelyMillis());
    return last != 0
        && life != 0
        && last >= RepairMarks.beginOf(life) + settings.horizon().toMillis() / 2;
  }

  /**
   * Whether a record outweighs a tombstone of its own version, into which a fast clock turned it
   * too early: its expiry is in the future on every correct clock. Once it is not, the tombstone
   * wins; so all members decide alike.
   */
  boolean isSurelyLive(Versioned record) {
    OptionalLong now = context.majorityMillis();
    return now.isPresent() && record.isLiveAt(now.getAsLong() + offsetMillis);
  }

  /** Whether a record has expired on every correct clock. */
  boolean isSurelyExpired(Versioned record) {
    OptionalLong now = context.majorityMillis();
    return now.isPresent()
        && !record.tombstone()
        && !record.isLiveAt(now.getAsLong() - offsetMillis);
  }

  private boolean counts(MemberId member) {
    return silentMillis(member) <= settings.horizon().toMillis();
  }

  /** Whether a peer has to reset its store if a tombstone is removed now, or has to already. */
  private boolean mustReset(MemberId member) {
    return !counts(member)
        || Version.millisOf(marks.pulledBy(member)) < marks.purgedWithout(member);
  }

  /** Time since the last contact by a peer. */
  private long silentMillis(MemberId member) {
    long now = context.nanoTime().getAsLong();
    // After a start or a membership change, peers get two intervals to make contact.
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
   * Expires records and removes tombstones that are due, up to {@code window} at a time.
   *
   * @param cutMillis records that expired by then become tombstones, unless this node's clock is
   *     suspended or the cut lies in the future
   * @param done called once; what failed is left to a later call
   */
  void tidy(List<Mutation> records, long cutMillis, Runnable done) {
    assert context.isOnLoop();
    OptionalLong now = context.trustedMillis();
    long expiredBy =
        now.isPresent() ? Math.min(cutMillis, now.getAsLong()) - offsetMillis : Long.MIN_VALUE;
    new PurgeRun(context, settings, this, marks, completePeers, done)
        .begin(records, purgeableUpTo(), expiredBy);
  }

  /** The peers whose consent a removal needs. */
  List<MemberId> counting() {
    return context.peers().get().stream().filter(this::counts).toList();
  }

  /** New marks for the peers without which tombstones are about to be removed. */
  List<Mark> leavingBehind() {
    OptionalLong now = context.trustedMillis();
    if (now.isEmpty()) {
      return List.of();
    }
    return context.peers().get().stream()
        .filter(member -> !counts(member))
        .filter(member -> marks.purgedWithout(member) <= now.getAsLong() - silentMillis(member))
        .map(member -> new Mark(RepairMarks.purgedWithoutName(member), now.getAsLong()))
        .toList();
  }
}
