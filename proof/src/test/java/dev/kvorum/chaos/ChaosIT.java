package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.PrintsNodeLogs;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A minute of faults. */
@Tag("chaos")
@ExtendWith(PrintsNodeLogs.class)
class ChaosIT {
  @Test
  void losesNoAcknowledgedWriteWhileNodesFail() throws IOException, InterruptedException {
    ChaosSettings settings = ChaosSettings.ofSystemProperties(Duration.ofMinutes(1));
    ChaosRun run = new ChaosRun(settings, Chaos.directory(settings));

    Report report = run.run();

    System.out.println(report);
    assertThat(report.violations()).as("seed %d", settings.seed()).isEmpty();
    // How many fit into a minute is the machine's: a restart takes seconds or most of it.
    assertThat(report.episodes()).as("faults").isNotEmpty();
    assertThat(report.statuses().get(201)).as("PUT acknowledged").isGreaterThan(100);
    assertThat(report.statuses().get(202)).as("DELETE acknowledged").isGreaterThan(20);
    assertThat(report.statuses().get(200)).as("GET found").isGreaterThan(100);
    run.clean();
  }
}
