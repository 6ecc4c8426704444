package dev.kvorum.simulation.run;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.run.Invariant.Violation;
import dev.kvorum.simulation.run.KeyHistory.Floor;
import dev.kvorum.simulation.storage.Effect;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Checks every {@link Invariant}: notified of every record that reaches a disk and of everything
 * that clients do and see, when it happens. {@link Invariant#DIVERGED} is looked at by {@code
 * Convergence}, {@link Invariant#RANGE} by {@code RangeReader}.
 */
public final class Invariants {
  /** What a watched cluster exposes. */
  public interface Watched {
    /** Members that keep {@code from} copies of a key. */
    List<MemberId> keepers(Key key, int from);

    /** Whether a member may store one of {@code from} copies of a key, by its own epoch too. */
    boolean mayStore(MemberId member, Key key, int from);

    /** Whether a member once held this version or a newer one as safely as it should. */
    boolean hasKept(MemberId member, Key key, Version version);
  }

  private static final int VIOLATIONS_MAX = 20;

  private final Profile profile;
  private final Watched cluster;
  private final Trace trace;
  private final LongSupplier trueMillis;
  private final Map<Key, KeyHistory> keys = new TreeMap<>();
  private final Map<Version, Key> given = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /**
   * A watcher who has seen nothing.
   *
   * @param trueMillis the true time, which no machine has
   */
  public Invariants(Profile profile, Watched cluster, Trace trace, LongSupplier trueMillis) {
    this.profile = profile;
    this.cluster = cluster;
    this.trace = trace;
    this.trueMillis = trueMillis;
  }

  public KeyHistory of(Key key) {
    return keys.computeIfAbsent(key, KeyHistory::new);
  }

  public List<Violation> violations() {
    return violations;
  }

  public void violated(Invariant never, String what) {
    if (violations.size() < VIOLATIONS_MAX) {
      Violation violation = new Violation(never, trace.millis(), what);
      violations.add(violation);
      trace.note("VIOLATION " + violation);
    }
  }

  /** A record has been written to a member's disk. */
  public void wrote(MemberId member, Effect.Put put) {
    Versioned record = put.record();
    KeyHistory history = of(put.key());
    holdsNoMoreCopiesThanAskedFor(member, put);
    Key first = given.putIfAbsent(record.version(), put.key());
    if (first != null && !first.equals(put.key())) {
      violated(
          Invariant.UNSOUND, record.version() + " was given to " + first + " and " + put.key());
    }
    Optional<Versioned> before = history.store(record);
    boolean expired = before.isPresent() && before.get().tombstone() != record.tombstone();
    if (before.isPresent() && !expired && !before.get().equals(record)) {
      violated(Invariant.UNSOUND, put.key() + ": one version, " + before.get() + " and " + record);
    }
    if (record.tombstone()) {
      if (expired && before.get().isLiveAt(latestMillis())) {
        violated(
            Invariant.EXPIRY,
            put.key() + ": " + before.get() + " turned into a tombstone on " + member);
      } else if (before.isEmpty() && !history.wasDeleted()) {
        violated(Invariant.UNSOUND, put.key() + ": a tombstone though nobody deleted: " + record);
      }
    } else {
      wasWrittenAsItIs(member, history, record);
    }
  }

  /** {@link Invariant#TOO_MANY_COPIES}. */
  private void holdsNoMoreCopiesThanAskedFor(MemberId member, Effect.Put put) {
    if (!cluster.mayStore(member, put.key(), put.record().from())) {
      violated(Invariant.TOO_MANY_COPIES, put.key() + " on " + member + ": " + put.record());
    }
  }

  /** {@link Invariant#FALSE_REPLY} for rejected writes, and that no value is made up. */
  private void wasWrittenAsItIs(MemberId member, KeyHistory history, Versioned record) {
    Optional<KeyHistory.Put> put = history.put(record);
    String value = KeyHistory.text(record);
    if (put.isEmpty()) {
      violated(Invariant.UNSOUND, history.key + " on " + member + ": nobody wrote '" + value + "'");
      return;
    }
    if (history.wasRejected(value)) {
      violated(
          Invariant.FALSE_REPLY,
          history.key + ": '" + value + "' was rejected, and is on " + member);
    }
    wasBegunInTime(history, put.get(), record);
    long ttl = put.get().ttlMillis();
    boolean expires = record.expiresAtMillis() != Versioned.NEVER;
    long earliest = put.get().begunMillis() + ttl - behindMillis();
    boolean right =
        record.expiresAtMillis() >= earliest && record.expiresAtMillis() <= latestMillis() + ttl;
    if (expires != ttl > 0 || (expires && !right)) {
      violated(Invariant.EXPIRY, history.key + ": a ttl of " + ttl + " ms became " + record);
    }
  }

  /** {@link Invariant#LATE}: a client that gave up may have written again and been acknowledged. */
  private void wasBegunInTime(KeyHistory history, KeyHistory.Put put, Versioned record) {
    long late = record.version().millis() - put.begunMillis();
    if (profile.areClocksBounded() && late > Profile.EFFECT_MAX_MILLIS + 2 * slackMillis()) {
      violated(
          Invariant.LATE, history.key + ": stamped " + late + " ms after its begin: " + record);
    }
  }

  /** How far any clock may be from the true time. */
  private long slackMillis() {
    return profile.clockBoundMillis() + profile.clockTickMillis();
  }

  /**
   * How far the time by which a node goes may be behind. If its own clock is wrong, that is another
   * one's earliest possible time, from a reading that may be as imprecise as clocks are.
   */
  private long behindMillis() {
    return slackMillis() + (profile.jumps() ? profile.clockBoundMillis() : 0);
  }

  private long latestMillis() {
    return trueMillis.getAsLong() + slackMillis();
  }

  /** A client received the outcome of its write. */
  public void wrote(Key key, Quorum quorum, Change change, Floor floor, WriteOutcome outcome) {
    KeyHistory history = of(key);
    switch (outcome) {
      case WriteOutcome.Acknowledged ack -> {
        isAsSafeAsAcknowledged(key, quorum, ack.version());
        history.acknowledged(quorum.from(), ack.version());
        if (change.counts()) {
          if (!ack.version().isNewerThan(floor.version())) {
            violated(
                Invariant.WENT_BACK,
                key + ": acknowledged " + ack.version() + ", not above " + floor);
          }
          history.raise(
              ack.version(), change.value().isEmpty() ? Invariant.DELETE_UNDONE : Invariant.LOST);
        }
      }
      case WriteOutcome.Rejected rejected -> {
        if (change.value().isPresent()) {
          history.rejected(change.value().get());
          if (history.isStored(change.value().get())) {
            violated(
                Invariant.FALSE_REPLY, key + ": rejected, and stored: " + change.value().get());
          }
        }
      }
      case WriteOutcome.Indeterminate i -> {}
    }
  }

  /**
   * What a client asked for.
   *
   * @param value what was put, empty for a delete
   * @param counts whether later quorum reads have to see it
   */
  public record Change(Optional<String> value, boolean counts) {}

  /** {@link Invariant#FALSE_REPLY} for acknowledged writes. */
  private void isAsSafeAsAcknowledged(Key key, Quorum quorum, Version version) {
    long safe =
        cluster.keepers(key, quorum.from()).stream()
            .filter(member -> cluster.hasKept(member, key, version))
            .count();
    if (safe < quorum.ack()) {
      violated(
          Invariant.FALSE_REPLY,
          key + ": " + version + " is on " + safe + ", acknowledged by " + quorum);
    }
  }

  /**
   * A client received the outcome of its read.
   *
   * @param counts whether it read at a majority what only majorities wrote
   * @param floor what was acknowledged or seen before it began
   */
  public void read(Key key, boolean counts, Floor floor, ReadOutcome outcome) {
    switch (outcome) {
      case ReadOutcome.Found found -> {
        found(key, counts ? floor : Floor.NONE, found.record());
        if (counts) {
          of(key).raise(found.record().version(), Invariant.WENT_BACK);
        }
      }
      case ReadOutcome.NotFound none -> {
        if (counts) {
          foundNothing(key, floor)
              .ifPresent(gone -> of(key).raise(gone.version(), Invariant.WENT_BACK));
        }
      }
      case ReadOutcome.Rejected r -> {}
      case ReadOutcome.NoQuorum u -> {}
    }
  }

  /**
   * A client was shown a key in a range, or shown that it is not there.
   *
   * @param floor what was acknowledged or seen before it began; empty if it is held to nothing
   */
  public void ranged(Key key, Optional<Floor> floor, Optional<Versioned> seen) {
    // A range repairs nothing: no later read is held to it.
    if (seen.isPresent()) {
      found(key, floor.orElse(Floor.NONE), seen.get());
    } else if (floor.isPresent()) {
      foundNothing(key, floor.get());
    }
  }

  /** A record was found: it must be no older than the floor, and not expired. */
  private void found(Key key, Floor floor, Versioned seen) {
    KeyHistory history = of(key);
    if (!history.stored(seen.version()).map(seen::equals).orElse(false)) {
      violated(Invariant.UNSOUND, key + ": read what was never stored: " + seen);
    }
    if (!seen.isLiveAt(trueMillis.getAsLong() - behindMillis())) {
      violated(Invariant.EXPIRY, key + ": seen after its expiry: " + seen);
    }
    if (floor.version().isNewerThan(seen.version())) {
      violated(floor.cause(), key + ": read " + seen + ", older than " + floor);
    }
  }

  /** The same where nothing was found; what explains that, if anything has to. */
  private Optional<Versioned> foundNothing(Key key, Floor floor) {
    if (floor.version().equals(Version.NONE)) {
      return Optional.empty();
    }
    KeyHistory history = of(key);
    Optional<Versioned> gone = history.goneFrom(floor.version(), latestMillis());
    if (gone.isPresent()) {
      return gone;
    }
    boolean expires =
        history
            .stored(floor.version())
            .map(record -> record.expiresAtMillis() != Versioned.NEVER)
            .orElse(false);
    violated(
        expires
            ? Invariant.EXPIRY
            : floor.cause() == Invariant.WENT_BACK ? Invariant.WENT_BACK : Invariant.LOST,
        key + ": nothing found where " + floor + " was");
    return Optional.empty();
  }

  /** {@link Invariant#STALE_EPOCH}: a peer answered a request of an older epoch than its own. */
  public void servedStaleEpoch(MemberId member, String reply) {
    violated(Invariant.STALE_EPOCH, member + " answered " + reply);
  }
}
