package dev.kvorum.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A Prometheus process on a free port of this machine. */
final class Prometheus implements AutoCloseable {
  private final Process process;
  private final String address;

  Prometheus(Path program, Path configuration, Path directory) {
    try {
      address = "127.0.0.1:" + freePort();
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The value of an expression with one result, or -1 if it has none or Prometheus is not up. */
  double value(String expression) {
    try {
      JsonNode result =
          Http.send(
                  "GET",
                  "http://" + address + "/api/v1/query?query=" + NeighboursIT.encoded(expression),
                  "")
              .json()
              .at("/data/result/0/value/1");
      return result.isMissingNode() ? -1 : Double.parseDouble(result.asString());
    } catch (UncheckedIOException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
