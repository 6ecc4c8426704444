package dev.kvorum.operator.backup.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The times of an expression of cron, in a time zone. */
final class Cron {
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private final ExecutionTime times;
  private final ZoneId zone;

  private Cron(ExecutionTime times, ZoneId zone) {
    this.times = times;
    this.zone = zone;
  }

  /**
   * Parses an expression of five fields.
   *
   * @throws IllegalArgumentException if it or the time zone is not valid
   */
  static Cron of(String expression, String zone) {
    ZoneId known;
    try {
      known = ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "timeZone is '" + zone + "'; it must be a name such as Europe/Berlin or UTC", e);
    }
    try {
      return new Cron(ExecutionTime.forCron(PARSER.parse(expression).validate()), known);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cron is '"
              + expression
              + "'; it must be minute, hour, day of month, month and day of week, such as 0 2 * * *: "
              + e.getMessage(),
          e);
    }
  }

  /** The newest time that is not after this one. */
  Optional<Instant> last(Instant now) {
    // The library's is before the time that it is given.
    Instant after = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    return times.lastExecution(after.atZone(zone)).map(time -> time.toInstant());
  }

  /** The first time after this one; empty if there is none. */
  Optional<Instant> next(Instant now) {
    return times.nextExecution(now.atZone(zone)).map(time -> time.toInstant());
  }
}
