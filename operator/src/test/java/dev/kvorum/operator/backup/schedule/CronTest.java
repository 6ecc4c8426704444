package dev.kvorum.operator.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times of schedules. */
class CronTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 2 * * * | UTC | 2026-01-02T02:00:00Z | 2026-01-02T02:00:00Z | 2026-01-03T02:00:00Z",
        "0 2 * * * | UTC | 2026-01-02T02:00:59Z | 2026-01-02T02:00:00Z | 2026-01-03T02:00:00Z",
        "0 2 * * * | UTC | 2026-01-02T01:59:59Z | 2026-01-01T02:00:00Z | 2026-01-02T02:00:00Z",
        "0 2 * * * | Europe/Berlin | 2026-01-02T02:30:00Z | 2026-01-02T01:00:00Z"
            + " | 2026-01-03T01:00:00Z",
        "*/15 * * * * | UTC | 2026-01-01T00:20:00Z | 2026-01-01T00:15:00Z | 2026-01-01T00:30:00Z",
        "30 4 1 * * | UTC | 2026-03-01T00:00:00Z | 2026-02-01T04:30:00Z | 2026-03-01T04:30:00Z",
        "0 0 * * SUN | UTC | 2026-11-30T00:00:00Z | 2026-11-29T00:00:00Z | 2026-12-06T00:00:00Z",
        // The clocks go forward: half past two does not exist on 29 March, as in a CronJob.
        "30 2 * * * | Europe/Berlin | 2026-03-29T12:00:00Z | 2026-03-28T01:30:00Z"
            + " | 2026-03-30T00:30:00Z",
        // The clocks go back: half past two comes twice on 25 October.
        "30 2 * * * | Europe/Berlin | 2026-10-24T12:00:00Z | 2026-10-24T00:30:00Z"
            + " | 2026-10-25T00:30:00Z",
      })
  void theLastTimeIsNotAfterNow(
      String expression, String zone, Instant now, Instant last, Instant next) {
    Cron cron = Cron.of(expression, zone);
    assertThat(cron.last(now)).contains(last);
    assertThat(cron.next(now)).contains(next);
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> Cron.of("every day", "UTC"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cron is 'every day'; it must be minute, hour,");
    assertThatThrownBy(() -> Cron.of("61 * * * *", "UTC")).hasMessageContaining("61");
    assertThatThrownBy(() -> Cron.of("0 2 * * *", "Mars"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeZone is 'Mars'; it must be a name such as Europe/Berlin or UTC");
  }
}
