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

/**
 * Compares records with their checksums, and counts and logs those that do not match. Safe for any
 * thread.
 */
public class ChecksumVerifier {
  private static final Logger log = LoggerFactory.getLogger(ChecksumVerifier.class);
  private static final long LOG_PERIOD_NANOS = 1_000_000_000L;

  private final Map<Place, LongAdder> counts = new EnumMap<>(Place.class);
  private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - LOG_PERIOD_NANOS);

  // Of which no replica has an intact copy.
  private final Set<Key> lost = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Key> inStore = key -> {};

  /** Where a record is compared with its checksum. */
  public enum Place {
    /** A replica is asked to store it. */
    WRITE("write"),
    /** A peer has sent it as an answer, or in a page of a repair or a transfer. */
    REPLY("reply"),
    /** It is read from the store. */
    STORE("store"),
    /** It is read from the hints. */
    HINT("hint");

    private final String label;

    Place(String label) {
      this.label = label;
    }

    /** This place in metrics. */
    public String label() {
      return label;
    }
  }

  /** A verifier that has met nothing yet. */
  public ChecksumVerifier() {
    for (Place place : Place.values()) {
      counts.put(place, new LongAdder());
    }
  }

  /** Whether a record may be used: it is what its checksum was made of. */
  public boolean matches(Place place, Key key, Versioned record) {
    boolean matches = record.isIntact(key);
    if (!matches) {
      mismatched(place, key, record.version());
    }
    return matches;
  }

  /** Counts a record that does not match. */
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

  /** Gives the keys of stored records that do not match to the repair; on any thread. */
  public void whenStoreMismatches(Consumer<Key> repair) {
    inStore = repair;
  }

  /** Takes note whether a stored record that does not match could be had from no replica. */
  public void lost(Key key, boolean isLost) {
    if (isLost) {
      lost.add(key);
    } else {
      lost.remove(key);
    }
  }

  /** Whether all these records, which do not match, could be had from no replica. */
  public boolean areLost(Collection<Key> mismatched) {
    return lost.containsAll(mismatched);
  }

  /** How many records are lost. */
  public int lost() {
    return lost.size();
  }

  /** What to answer to a read of a stored record that does not match. */
  public RejectReason refusal(Key key) {
    return lost.contains(key) ? RejectReason.DATA_LOST : RejectReason.CHECKSUM_MISMATCH;
  }

  /** How many records have not matched. */
  public long mismatches(Place place) {
    return countOf(place).sum();
  }

  private LongAdder countOf(Place place) {
    return Objects.requireNonNull(counts.get(place));
  }
}
