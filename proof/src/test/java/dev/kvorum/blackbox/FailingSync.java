package dev.kvorum.blackbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** Lets the next fsync of a node's writer thread fail with an I/O error, by strace. */
final class FailingSync implements AutoCloseable {
  private final Process strace;
  private final Path log;

  private FailingSync(Process strace, Path log) {
    this.strace = strace;
    this.log = log;
  }

  /**
   * Attaches to a node; skips the test where that is impossible.
   *
   * @param log file for what strace prints
   */
  static FailingSync of(NodeProcess node, Path log) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            "strace",
            "-p",
            writerOf(node),
            "-e",
            "trace=fdatasync",
            "-e",
            "inject=fdatasync:error=EIO:when=1");
    FailingSync failing;
    try {
      Process strace = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      failing = new FailingSync(strace, log);
    } catch (IOException e) {
      return Assumptions.abort("strace is not installed");
    }
    failing.awaitPrinted("attached");
    if (!failing.strace.isAlive()) {
      return Assumptions.abort("strace may not trace processes here: " + Files.readString(log));
    }
    return failing;
  }

  private static String writerOf(NodeProcess node) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + node.pid() + "/task"))) {
      List<Path> writers = threads.filter(FailingSync::isWriter).toList();
      return writers.getFirst().getFileName().toString();
    }
  }

  private static boolean isWriter(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).startsWith("kvorum-write");
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  /** Waits until the fsync has failed. */
  void awaitFailure() {
    awaitPrinted("INJECTED");
  }

  private void awaitPrinted(String text) {
    Awaitility.await("strace prints " + text)
        .atMost(10, TimeUnit.SECONDS)
        .until(() -> !strace.isAlive() || Files.readString(log).contains(text));
  }

  @Override
  public void close() {
    strace.destroy();
    strace.onExit().join();
  }
}
