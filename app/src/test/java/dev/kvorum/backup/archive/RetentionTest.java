package dev.kvorum.backup.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.manifest.BackupManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private static BackupManifest backup(String began) {
    Instant time = Instant.parse(began);
    return new BackupManifest(
        1, began, "c", "c", null, "0", 1, 3, List.of(), List.of(), time, time, 0, 0, List.of(), 0,
        0, List.of());
  }

  private static List<String> dropped(Retention retention, String... began) {
    List<BackupManifest> all = Stream.of(began).map(RetentionTest::backup).toList();
    return retention.dropped(all, NOW).stream().map(BackupManifest::id).toList();
  }

  private static Retention rules(int last, int daily, int weekly, Duration within) {
    return new Retention(last, daily, weekly, within);
  }

  @Test
  void aBackupIsKeptThatAnyRuleKeeps() {
    String[] all = {
      "2026-11-09T01:00:00Z", // a Monday
      "2026-11-15T23:00:00Z", // the Sunday after
      "2026-11-26T01:00:00Z",
      "2026-11-26T23:00:00Z",
      "2026-11-28T01:00:00Z",
      "2026-11-28T11:00:00Z"
    };
    assertThat(dropped(rules(2, 0, 0, Duration.ZERO), all))
        .containsExactly(all[0], all[1], all[2], all[3]);
    assertThat(dropped(rules(1, 2, 0, Duration.ZERO), all))
        .as("a day without a backup does not count")
        .containsExactly(all[0], all[1], all[2], all[4]);
    assertThat(dropped(rules(1, 0, 2, Duration.ZERO), all))
        .as("the newest of a week")
        .containsExactly(all[0], all[2], all[3], all[4]);
    assertThat(dropped(rules(1, 0, 0, Duration.ofHours(11)), all))
        .containsExactly(all[0], all[1], all[2], all[3]);
    assertThat(dropped(rules(0, 0, 0, Duration.ZERO), all)).as("never the newest").hasSize(5);
    assertThat(dropped(rules(9, 0, 0, Duration.ZERO), all)).isEmpty();
    assertThat(dropped(rules(1, 1, 1, Duration.ZERO))).isEmpty();
  }
}
