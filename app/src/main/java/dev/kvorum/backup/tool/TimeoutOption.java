package dev.kvorum.backup.tool;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a command may take. */
final class TimeoutOption {
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "PT6H",
      description = "longest duration, such as PT30M; then it is given up; default PT6H")
  private Duration timeout = Duration.ofHours(6);

  TimeoutOption() {}

  Duration value() {
    return timeout;
  }
}
