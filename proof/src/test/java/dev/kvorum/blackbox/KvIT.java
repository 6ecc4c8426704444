package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The command {@code app/bin/kv} with three nodes. */
@ExtendWith(PrintsNodeLogs.class)
class KvIT {
  private static final String KV = Path.of("../app/bin/kv").toString();
  private static final NodeProcess NODE = SharedCluster.get().node(2);

  private final String key = "kv-" + Seeds.uuid();

  private record Result(int code, String out, String err) {}

  private static Result kv(String input, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(KV));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("KVORUM_URL", "http://localhost:" + NODE.client().port());
    Process process = builder.start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      return new Result(process.exitValue(), out, err);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void storesListsExplainsAndRemovesAKey() throws IOException, InterruptedException {
    Result put = kv("grün, two\nlines", "put", key, "--ttl", "1h");
    assertThat(put.out()).matches("[0-9a-f]{24}\n");
    assertThat(kv("", "get", key)).isEqualTo(new Result(0, "grün, two\nlines", ""));
    assertThat(kv("", "ls", "-l", key).out()).contains(" 16  " + key + "  until ");
    assertThat(kv("", "explain", key).out())
        .contains("is answered with 200", "kvorum-0", "kvorum-1", put.out().strip());
    assertThat(kv("", "rm", key)).isEqualTo(new Result(0, "", ""));
    assertThat(kv("", "get", key)).isEqualTo(new Result(1, "", "there is no key " + key + "\n"));
    assertThat(kv("", "ls", "--count", key).out()).isEqualTo("0\n");
  }
}
