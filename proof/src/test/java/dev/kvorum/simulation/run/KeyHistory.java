package dev.kvorum.simulation.run;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that was ever tried with a key, stored for it anywhere, and seen of it.
 *
 * <p>The simulation observes every disk and the exact time, so it checks each operation as it ends
 * against the records that were stored; {@code dev.kvorum.chaos.history} has only what clients
 * recorded, with bounds on clocks, and checks it afterwards.
 */
public final class KeyHistory {
  /**
   * What no later quorum read may be older than.
   *
   * @param cause what it means when one is
   */
  public record Floor(Version version, Invariant cause) {
    static final Floor NONE = new Floor(Version.NONE, Invariant.LOST);
  }

  /** A value that a client tried to store. */
  public record Put(long ttlMillis, long begunMillis) {}

  final Key key;
  private final NavigableMap<Version, Versioned> stored = new TreeMap<>();
  private final Map<String, Put> puts = new HashMap<>();
  private final Set<String> rejected = new HashSet<>();
  private final NavigableMap<Integer, Version> acknowledged = new TreeMap<>();
  private int deletes;
  private Floor floor = Floor.NONE;

  KeyHistory(Key key) {
    this.key = key;
  }

  public void putting(String value, Put put) {
    puts.put(value, put);
  }

  public void deleting() {
    deletes++;
  }

  boolean wasDeleted() {
    return deletes > 0;
  }

  void acknowledged(int from, Version version) {
    acknowledged.merge(from, version, (a, b) -> b.isNewerThan(a) ? b : a);
  }

  /**
   * The newest version of all acknowledged writes that asked for so many copies, by that number.
   */
  public NavigableMap<Integer, Version> newestAcknowledged() {
    return acknowledged;
  }

  void rejected(String value) {
    rejected.add(value);
  }

  boolean wasRejected(String value) {
    return rejected.contains(value);
  }

  Optional<Put> put(Versioned record) {
    return Optional.ofNullable(puts.get(text(record)));
  }

  static String text(Versioned record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  boolean isStored(String value) {
    return stored.values().stream().anyMatch(r -> !r.tombstone() && text(r).equals(value));
  }

  /** Notes a record that was written to a disk; what was stored under its version before. */
  Optional<Versioned> store(Versioned record) {
    Optional<Versioned> before = Optional.ofNullable(stored.get(record.version()));
    if (before.isEmpty() || before.get().tombstone()) {
      stored.putIfAbsent(record.version(), record);
    }
    return before;
  }

  Optional<Versioned> stored(Version version) {
    return Optional.ofNullable(stored.get(version));
  }

  public Floor floor() {
    return floor;
  }

  void raise(Version version, Invariant cause) {
    if (version.isNewerThan(floor.version())) {
      floor = new Floor(version, cause);
    }
  }

  /**
   * The oldest record from this version on that a reader may have treated as absent.
   *
   * @param nowMillis the latest time that any clock could have shown
   */
  Optional<Versioned> goneFrom(Version least, long nowMillis) {
    return stored.tailMap(least, true).values().stream()
        .filter(record -> !record.isLiveAt(nowMillis))
        .findFirst();
  }
}
