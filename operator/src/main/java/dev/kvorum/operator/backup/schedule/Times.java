package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.VerifySpec;
import java.time.Instant;
import java.util.Optional;

/**
 * The times of a schedule.
 *
 * @param backups when backups are made; empty if any of the times is not valid
 * @param verifications when they are verified; empty also if they are not
 * @param invalid what is not valid
 */
record Times(Optional<Cron> backups, Optional<Cron> verifications, Optional<String> invalid) {
  /** Parses those of a spec. */
  static Times of(KvorumBackupScheduleSpec spec, Instant now) {
    try {
      VerifySpec verify = spec.verify();
      return new Times(
          Optional.of(cron(spec.cron(), spec.timeZone(), now)),
          verify == null
              ? Optional.empty()
              : Optional.of(cron(verify.cron(), spec.timeZone(), now)),
          Optional.empty());
    } catch (IllegalArgumentException invalid) {
      return new Times(
          Optional.empty(), Optional.empty(), Optional.of(String.valueOf(invalid.getMessage())));
    }
  }

  private static Cron cron(String expression, String zone, Instant now) {
    Cron cron = Cron.of(expression, zone);
    if (cron.next(now).isEmpty()) {
      throw new IllegalArgumentException("cron is '" + expression + "', which no time matches");
    }
    return cron;
  }
}
