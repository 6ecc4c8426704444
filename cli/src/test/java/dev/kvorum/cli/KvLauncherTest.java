package dev.kvorum.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as its launcher runs it, which decides how arguments and the output are encoded. */
class KvLauncherTest {
  /** So that the locale of this test has no part in it. */
  private static final String E_ACUTE = "$(printf '\\303\\251')";

  private static final String U_UMLAUT = "$(printf '\\303\\274')";

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  @TempDir private Path directory;

  KvLauncherTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String received = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + received);
    byte[] response = "{\"key\":\"é\"}".getBytes(UTF_8);
    exchange.sendResponseHeaders(200, response.length);
    exchange.getResponseBody().write(response);
    exchange.close();
  }

  @BeforeEach
  void start() throws IOException {
    server.start();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Kv.class.getName());
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(it -> Path.of(it).toUri().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream jar = Files.newOutputStream(directory.resolve("kvorum-cli.jar"))) {
      new JarOutputStream(jar, manifest).close();
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** What a command ended with, and all that it wrote. */
  private record End(int exitCode, String text) {}

  private End run(Map<String, String> locale, String arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec ../app/bin/kv " + arguments).redirectErrorStream(true);
    builder.environment().keySet().removeIf(it -> it.startsWith("LC_") || it.equals("LANG"));
    builder.environment().putAll(locale);
    builder.environment().put("KVORUM_CLI", directory.toString());
    builder.environment().put("KVORUM_URL", "http://localhost:" + server.getAddress().getPort());
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new End(process.waitFor(), text);
  }

  @Test
  void keysAndValuesAreUtf8InAnyLocale() throws Exception {
    assertThat(run(Map.of("LC_ALL", "C"), "put k-" + E_ACUTE + " v-" + U_UMLAUT).exitCode())
        .isZero();
    assertThat(run(Map.of(), "put k-" + U_UMLAUT + " v").exitCode()).isZero();
    assertThat(run(Map.of("LANG", "no_SUCH.UTF-8"), "get k-" + E_ACUTE).text()).contains("é");
    assertThat(requests)
        .containsExactly(
            "PUT /v0/entity?id=k-%C3%A9 v-ü",
            "PUT /v0/entity?id=k-%C3%BC v", "GET /v0/entity?id=k-%C3%A9 ");
    assertThat(run(Map.of("LC_ALL", "C"), "ls")).isEqualTo(new End(0, "é\n"));
  }

  @Test
  void anArgumentThatIsNotUtf8IsRejected() throws Exception {
    End end = run(Map.of("LC_ALL", "C.UTF-8"), "put \"k-$(printf '\\351')\" v");
    assertThat(end.exitCode()).isEqualTo(Kv.WRONG);
    assertThat(end.text()).contains("arguments must be UTF-8").doesNotContain("\tat ");
    assertThat(requests).isEmpty();
  }

  @Test
  void anOutputThatCannotBeWrittenIsAFailure() throws Exception {
    assertThat(run(Map.of(), "get k 2>&1 >/dev/full"))
        .isEqualTo(new End(Kv.FAILED, "cannot write the output\n"));
    assertThat(run(Map.of(), "ls 2>&1 >/dev/full"))
        .isEqualTo(new End(Kv.FAILED, "cannot write the output\n"));
    assertThat(run(Map.of(), "--help 2>&1 >/dev/full"))
        .isEqualTo(new End(Kv.FAILED, "cannot write the output\n"));
  }
}
