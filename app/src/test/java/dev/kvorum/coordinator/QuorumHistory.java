package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;

/**
 * What clients have seen of the keys, checked as they see it: no majority read may be older than
 * what was acknowledged or read before it began, and every acknowledged write is newer than that.
 */
final class QuorumHistory {
  /** What did not hold; Reactor would swallow it if it were thrown where it is found. */
  final SoftAssertions claims = new SoftAssertions();

  private final String seed;
  private final Map<Key, Version> newestAcknowledged = new HashMap<>();
  private final Map<Key, Version> newestSeen = new HashMap<>();
  private final Map<Key, Set<String>> written = new HashMap<>();
  private final Set<Key> deleted = new HashSet<>();
  int acknowledged;
  int found;
  int indeterminate;

  QuorumHistory(String seed) {
    this.seed = seed;
  }

  /** What an operation that begins now must not fall behind. */
  Version floor(Key key) {
    return newestSeen.getOrDefault(key, Version.NONE);
  }

  Version newestAcknowledged(Key key) {
    return newestAcknowledged.getOrDefault(key, Version.NONE);
  }

  void writing(Key key, String value) {
    written.computeIfAbsent(key, k -> new HashSet<>()).add(value);
  }

  void deleting(Key key) {
    deleted.add(key);
  }

  void wrote(Key key, Version floor, WriteOutcome outcome) {
    switch (outcome) {
      case WriteOutcome.Acknowledged ack -> {
        claims.assertThat(ack.version()).as("%s, %s acknowledged", seed, key).isGreaterThan(floor);
        saw(key, ack.version());
        newestAcknowledged.merge(key, ack.version(), QuorumHistory::newer);
        acknowledged++;
      }
      case WriteOutcome.Indeterminate i -> indeterminate++;
      case WriteOutcome.Rejected r -> indeterminate++;
    }
  }

  void read(Key key, Version floor, ReadOutcome outcome) {
    switch (outcome) {
      case ReadOutcome.Found seen -> {
        claims
            .assertThat(seen.record().version())
            .as("%s, %s read", seed, key)
            .isGreaterThanOrEqualTo(floor);
        claims
            .assertThat(written.getOrDefault(key, Set.of()))
            .as("%s, values of %s", seed, key)
            .contains(new String(seen.record().value(), StandardCharsets.UTF_8));
        saw(key, seen.record().version());
        found++;
      }
      case ReadOutcome.NotFound n ->
          claims
              .assertThat(deleted.contains(key) || floor.equals(Version.NONE))
              .as("%s, %s not found though nobody deleted it", seed, key)
              .isTrue();
      case ReadOutcome.Unanswered u -> indeterminate++;
      case ReadOutcome.Rejected none -> throw new AssertionError("room was never refused");
    }
  }

  private void saw(Key key, Version version) {
    newestSeen.merge(key, version, QuorumHistory::newer);
  }

  private static Version newer(Version a, Version b) {
    return a.isNewerThan(b) ? a : b;
  }
}
