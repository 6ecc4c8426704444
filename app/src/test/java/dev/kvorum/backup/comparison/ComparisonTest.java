package dev.kvorum.backup.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Instant BACKUP = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = BACKUP.plus(Duration.ofDays(1));
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String BEFORE = version(BACKUP.minus(HOUR));
  private static final String EARLIER = version(BACKUP.minus(HOUR.multipliedBy(2)));
  private static final String SINCE = version(BACKUP.plus(HOUR));

  private final Map<String, Difference> found = new HashMap<>();
  private final Map<String, String> tombstones = new HashMap<>();
  private int deletionsMax = 100;

  private static String version(Instant time) {
    return new Version(Version.stampOf(time.toEpochMilli()), 7).toString();
  }

  private static ReadRecord record(String key, String version) {
    return new ReadRecord(Key.of(key), version, "dg==", "", Versioned.NEVER);
  }

  private static ReadRecord expiring(String key, String version, Instant expiry) {
    return new ReadRecord(Key.of(key), version, "dg==", "", expiry.toEpochMilli());
  }

  private static RecordSource source(List<ReadRecord> records) {
    Iterator<ReadRecord> left = records.iterator();
    return () -> left.hasNext() ? left.next() : null;
  }

  private Comparison compare(List<ReadRecord> cluster, List<ReadRecord> restored)
      throws IOException, InterruptedException {
    found.clear();
    Deletions deletions = key -> Optional.ofNullable(tombstones.get(key.toString()));
    Comparison comparison =
        new Comparison(
            BACKUP,
            InstantSource.fixed(NOW),
            deletions,
            deletionsMax,
            (key, difference) -> found.put(key.toString(), difference));
    comparison.run(source(cluster), source(restored));
    assertThat(comparison.differences().values().stream().mapToLong(it -> it).sum())
        .isEqualTo(found.size());
    return comparison;
  }

  @Test
  void acceptsWhatHasChangedSinceTheBackup() throws IOException, InterruptedException {
    tombstones.put("deleted", SINCE);
    tombstones.put("expired", BEFORE);
    Instant soon = NOW.plusSeconds(30);
    Comparison comparison =
        compare(
            List.of(
                record("new", SINCE),
                record("overwritten", SINCE),
                record("same", BEFORE),
                expiring("so", BEFORE, soon)),
            List.of(
                record("deleted", BEFORE),
                expiring("expired", BEFORE, NOW.minusSeconds(1)),
                record("overwritten", BEFORE),
                record("same", BEFORE)));
    assertThat(found).isEmpty();
    assertThat(comparison.same()).isEqualTo(1);
    assertThat(comparison.written()).as("new, overwritten, about to expire").isEqualTo(3);
    assertThat(comparison.gone()).isEqualTo(2);
  }

  @Test
  void findsWhatTheBackupLacksOrHasWrongly() throws IOException, InterruptedException {
    tombstones.put("undeleted", BEFORE);
    compare(
        List.of(
            record("missing", BEFORE),
            record("outdated", BEFORE),
            record("same", BEFORE),
            record("unequal-type", BEFORE),
            record("unequal-value", BEFORE),
            record("zz-missing-at-the-end", BEFORE)),
        List.of(
            record("outdated", EARLIER),
            record("same", BEFORE),
            record("undeleted", EARLIER),
            new ReadRecord(Key.of("unequal-type"), BEFORE, "dg==", "text/plain", Versioned.NEVER),
            new ReadRecord(Key.of("unequal-value"), BEFORE, "dQ==", "", Versioned.NEVER)));
    assertThat(found)
        .isEqualTo(
            Map.of(
                "missing", Difference.MISSING,
                "outdated", Difference.OUTDATED,
                "undeleted", Difference.UNDELETED,
                "unequal-type", Difference.UNEQUAL,
                "unequal-value", Difference.UNEQUAL,
                "zz-missing-at-the-end", Difference.MISSING));
  }

  @Test
  void findsWhatTheClusterHasLost() throws IOException, InterruptedException {
    tombstones.put("deletion-lost-its-successor", EARLIER);
    compare(
        List.of(record("older", EARLIER)),
        List.of(record("deletion-lost-its-successor", BEFORE), record("older", BEFORE)));
    assertThat(found)
        .isEqualTo(
            Map.of(
                "deletion-lost-its-successor", Difference.LOST,
                "older", Difference.LOST));
  }

  @Test
  void asksForABoundedNumberOfDeletions() throws IOException, InterruptedException {
    deletionsMax = 2;
    List<ReadRecord> deleted = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      tombstones.put(key, BEFORE);
      deleted.add(record(key, EARLIER));
    }
    Comparison comparison = compare(List.of(), deleted);
    assertThat(found).containsOnlyKeys("a", "b");
    assertThat(comparison.gone()).isEqualTo(1);
  }
}
