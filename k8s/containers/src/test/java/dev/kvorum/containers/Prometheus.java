package dev.kvorum.containers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A Prometheus process on a free port of this machine. */
final class Prometheus implements AutoCloseable {
  private final Process process;
  private final String address;

  Prometheus(Path program, Path configuration, Path directory) {
    try {
      address = "127.0.0.1:" + Ports.free();
      process =
          new ProcessBuilder(
                  program.toString(),
                  "--config.file=" + configuration,
                  "--storage.tsdb.path=" + directory.resolve("tsdb"),
                  "--web.listen-address=" + address)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("prometheus.log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first program of this name on the PATH. */
  static Optional<Path> program() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "prometheus"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The value of an expression with one result, or -1 if it has none or Prometheus is not up. */
  double value(String expression) {
    try {
      String query = "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
      Http.Reply reply = Http.send("GET", "http://" + address + query, "");
      if (reply.status() != 200) {
        // While it starts, it replies 503 in plain text.
        return -1;
      }
      JsonNode result = reply.json().at("/data/result/0/value/1");
      return result.isMissingNode() ? -1 : Double.parseDouble(result.asString());
    } catch (UncheckedIOException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
