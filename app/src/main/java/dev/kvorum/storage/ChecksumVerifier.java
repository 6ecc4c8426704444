package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verifies the checksums of records; counts and logs mismatches. Safe for any thread. */
public class ChecksumVerifier {
  private static final Logger log = LoggerFactory.getLogger(ChecksumVerifier.class);
  private static final long LOG_PERIOD_NANOS = 1_000_000_000L;

  private final Map<Place, LongAdder> counts = new EnumMap<>(Place.class);
  private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - LOG_PERIOD_NANOS);

  // Keys of which no replica has an intact copy.
  private final Set<Key> lost = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Key> inStore = key -> {};

  /** Where a checksum is verified. */
  public enum Place {
    /** In a write, before a replica stores it. */
    WRITE("write"),
    /** In a peer's reply, or a page of a repair or a transfer. */
    REPLY("reply"),
    /** In a read from the store. */
    STORE("store"),
    /** In a read from the hints. */
    HINT("hint");

    private final String label;

    Place(String label) {
      this.label = label;
    }

    /** This place as a metric label. */
    public String label() {
      return label;
    }
  }

  /** Creates a verifier without mismatches. */
  public ChecksumVerifier() {
    for (Place place : Place.values()) {
      counts.put(place, new LongAdder());
    }
  }

  /** Returns whether a record matches its checksum and may be used. */
  public boolean matches(Place place, Key key, Versioned record) {
    boolean matches = record.isIntact(key);
    if (!matches) {
      mismatched(place, key, record.version());
    }
    return matches;
  }

  /** Counts and logs a record that does not match. */
  public void mismatched(Place place, Key key, Version version) {
    countOf(place).increment();
    if (place == Place.STORE) {
      inStore.accept(key);
    }
    long last = loggedNanos.get();
    long now = System.nanoTime();
    if (now - last >= LOG_PERIOD_NANOS && loggedNanos.compareAndSet(last, now)) {
      log.warn(
          "Record {} of key {} does not match its checksum ({}, {} so far)",
          version,
          key.encoded(),
          place.label(),
          mismatches(place));
    }
  }

  /** Sets the repair that receives the keys of mismatching stored records, on any thread. */
  public void whenStoreMismatches(Consumer<Key> repair) {
    inStore = repair;
  }

  /**
   * Records whether a mismatching stored record is lost, that is, has no intact copy on any
   * replica.
   */
  public void lost(Key key, boolean isLost) {
    if (isLost) {
      lost.add(key);
    } else {
      lost.remove(key);
    }
  }

  /** Returns whether all these mismatching records are lost. */
  public boolean areLost(Collection<Key> mismatched) {
    return lost.containsAll(mismatched);
  }

  /** Number of lost records. */
  public int lost() {
    return lost.size();
  }

  /** Reason to reject a read of a mismatching stored record. */
  public RejectReason rejection(Key key) {
    return lost.contains(key) ? RejectReason.DATA_LOST : RejectReason.CHECKSUM_MISMATCH;
  }

  /** Number of mismatches. */
  public long mismatches(Place place) {
    return countOf(place).sum();
  }

  private LongAdder countOf(Place place) {
    return Objects.requireNonNull(counts.get(place));
  }
}
