package dev.kvorum.backup.comparison;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A merge join of the records of a cluster with those of another into which its backup was
 * restored. The cluster goes on serving clients: what was written, deleted or has expired since the
 * backup differs rightly. Confined to one thread.
 */
public final class Comparison {
  /** The two clusters are not read at the same time, and have clocks of their own. */
  private static final Duration EXPIRY_MARGIN = Duration.ofMinutes(1);

  private final String demandedBefore;
  private final InstantSource clock;
  private final Deletions deletions;
  private final BiConsumer<Key, Difference> onDifference;
  private final Map<Difference, Long> differences = new EnumMap<>(Difference.class);
  private int deletionsLeft;
  private long same;
  private long written;
  private long gone;

  /**
   * A comparison.
   *
   * @param demandedBefore what was written before has to be in the backup
   * @param deletions of the cluster
   * @param deletionsMax for how many keys they are asked
   * @param onDifference gets each difference
   */
  public Comparison(
      Instant demandedBefore,
      InstantSource clock,
      Deletions deletions,
      int deletionsMax,
      BiConsumer<Key, Difference> onDifference) {
    this.demandedBefore = new Version(Version.stampOf(demandedBefore.toEpochMilli()), 0).toString();
    this.clock = clock;
    this.deletions = deletions;
    this.deletionsLeft = deletionsMax;
    this.onDifference = onDifference;
  }

  /** Reads both to their ends. Blocks. */
  public void run(RecordSource cluster, RecordSource restored)
      throws IOException, InterruptedException {
    ReadRecord live = cluster.next();
    ReadRecord copy = restored.next();
    while (live != null || copy != null) {
      int order = order(live, copy);
      if (order < 0 && live != null) {
        missing(live);
      } else if (order > 0 && copy != null) {
        gone(copy);
      } else if (live != null && copy != null) {
        both(live, copy);
      }
      live = order <= 0 ? cluster.next() : live;
      copy = order >= 0 ? restored.next() : copy;
    }
  }

  private static int order(@Nullable ReadRecord live, @Nullable ReadRecord copy) {
    if (live == null || copy == null) {
      return live == null ? 1 : -1;
    }
    return live.key().compareTo(copy.key());
  }

  private void missing(ReadRecord live) {
    boolean isExpiring = live.expiresBefore(clock.instant().plus(EXPIRY_MARGIN));
    if (isDemanded(live.version()) && !isExpiring) {
      add(live.key(), Difference.MISSING);
    } else {
      written++;
    }
  }

  private void both(ReadRecord live, ReadRecord copy) {
    if (copy.isNewerThan(live)) {
      add(live.key(), Difference.LOST);
    } else if (!live.isNewerThan(copy)) {
      if (live.hasContentOf(copy)) {
        same++;
      } else {
        add(live.key(), Difference.UNEQUAL);
      }
    } else if (isDemanded(live.version())) {
      add(live.key(), Difference.OUTDATED);
    } else {
      written++;
    }
  }

  private void gone(ReadRecord copy) throws IOException {
    if (!copy.expiresBefore(clock.instant().plus(EXPIRY_MARGIN)) && deletionsLeft > 0) {
      deletionsLeft--;
      Optional<String> deleted = deletions.of(copy.key());
      if (deleted.isPresent()) {
        int age = deleted.get().compareTo(copy.version());
        if (age < 0) {
          add(copy.key(), Difference.LOST);
          return;
        }
        // An expired value becomes a tombstone of the same version.
        if (age > 0 && isDemanded(deleted.get())) {
          add(copy.key(), Difference.UNDELETED);
          return;
        }
      }
    }
    gone++;
  }

  private boolean isDemanded(String version) {
    return version.compareTo(demandedBefore) < 0;
  }

  private void add(Key key, Difference difference) {
    differences.merge(difference, 1L, Long::sum);
    onDifference.accept(key, difference);
  }

  /** Number of keys by how they differ wrongly. */
  public Map<Difference, Long> differences() {
    return Map.copyOf(differences);
  }

  /** Number of keys that are the same in both. */
  public long same() {
    return same;
  }

  /** Number of keys that were written since the backup. */
  public long written() {
    return written;
  }

  /** Number of keys that were deleted or have expired since the backup. */
  public long gone() {
    return gone;
  }
}
