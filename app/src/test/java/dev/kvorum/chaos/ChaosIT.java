package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.PrintsNodeLogs;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A minute of faults with every run of the tests. */
@ExtendWith(PrintsNodeLogs.class)
class ChaosIT {
  @Test
  void keepsItsWordWhileNodesFail() throws IOException, InterruptedException {
    ChaosSettings settings = ChaosSettings.ofSystemProperties(Duration.ofMinutes(1));
    ChaosRun run = new ChaosRun(settings, Chaos.directory(settings));

    Report report = run.run();

    System.out.println(report);
    assertThat(report.violations()).as("seed %d", settings.seed()).isEmpty();
    assertThat(report.episodes()).as("faults").hasSizeGreaterThan(2);
    assertThat(report.outcomes().get(Outcome.OK)).as("answers").isGreaterThan(1_000);
    assertThat(report.outcomes().get(Outcome.NOT_FOUND)).as("misses").isGreaterThan(50);
    run.clean();
  }
}
