package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of docs/clients.md, in the languages that are installed. Go first compiles its
 * standard library, for a minute: {@code make proof PARTS=clients} runs that program too.
 */
@ExtendWith(PrintsNodeLogs.class)
class ClientsIT {
  private static final Path SCRIPT = Path.of("..", "docs", "clients", "check").toAbsolutePath();
  private static final List<String> PROGRAMS =
      List.of("client.sh", "client.py", "client.mjs", "KvorumClient.java");
  private static final int SECONDS_MAX = 120;

  @Test
  void everyProgramWorksThoughRequestsAreRefusedAndRangesCutOff(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    ProcessBuilder check = new ProcessBuilder(SCRIPT.toString());
    check.command().addAll(PROGRAMS);
    check.environment().put("URL", "http://localhost:" + SharedCluster.get().node(0).httpPort());
    check.environment().put("FLAKY", "1");
    Process process = check.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      String text = Files.readString(output);
      System.out.print(text);
      assertThat(ended).as("ends in time: %s", text).isTrue();
      assertThat(process.exitValue()).as(text).isZero();
      assertThat(text.lines())
          .hasSizeGreaterThanOrEqualTo(PROGRAMS.size())
          .contains("KvorumClient.java: ok");
    } finally {
      process.destroy();
    }
  }
}
