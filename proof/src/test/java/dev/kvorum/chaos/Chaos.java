package dev.kvorum.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** The command behind {@code make chaos}: one run; exit code 1 when it shows a violation. */
public final class Chaos {
  private static final Duration DURATION = Duration.ofMinutes(5);

  private Chaos() {}

  /** Runs once, by the system properties {@code chaos.*}. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ChaosSettings settings = settings();
    ChaosRun run = new ChaosRun(settings, directory(settings));
    Report report = run.run();
    System.out.println("\n" + report);
    if (report.violations().isEmpty()) {
      run.clean();
    }
    // Clients leave threads behind that would hold the process up for a while.
    System.exit(report.violations().isEmpty() ? 0 : 1);
  }

  private static ChaosSettings settings() {
    try {
      return ChaosSettings.ofSystemProperties(DURATION);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      throw e;
    }
  }

  /** A directory for a run that begins now. */
  static Path directory(ChaosSettings settings) {
    String now =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("MMdd-HHmmss"));
    return Path.of("target", "chaos", now + "-seed-" + settings.seed()).toAbsolutePath();
  }
}
