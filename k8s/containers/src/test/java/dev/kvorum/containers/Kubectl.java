package dev.kvorum.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * kubectl on the Kubernetes that KUBECONFIG points at, if KVORUM_TEST_KUBERNETES allows tests to
 * create objects there.
 */
final class Kubectl {
  private static final long SECONDS_MAX = 60;

  private Kubectl() {}

  /** What a command printed. */
  private record Result(int code, String output, String errors) {}

  /** Why there is no Kubernetes, or empty. */
  static Optional<String> obstacle() {
    if (!"true".equals(System.getenv("KVORUM_TEST_KUBERNETES"))) {
      return Optional.of("KVORUM_TEST_KUBERNETES=true is not set");
    }
    try {
      Result version = result("version", "-o", "json");
      return version.code == 0 ? Optional.empty() : Optional.of(version.errors.strip());
    } catch (UncheckedIOException e) {
      return Optional.of("there is no kubectl");
    }
  }

  static void assumeReachable() {
    Optional<String> obstacle = obstacle();
    obstacle.ifPresent(reason ->
        System.out.println("skipped: the operator's image, no Kubernetes (" + reason + ")"));
    Assumptions.assumeTrue(obstacle.isEmpty(), "no Kubernetes");
  }

  static boolean attempt(String... arguments) {
    return result(arguments).code == 0;
  }

  /** Runs a command that must succeed, and returns what it printed. */
  static String run(String... arguments) {
    Result result = result(arguments);
    if (result.code != 0) {
      throw new IllegalStateException(
          "kubectl " + String.join(" ", arguments) + " failed: " + result.errors);
    }
    return result.output;
  }

  private static Result result(String... arguments) {
    List<String> command = new ArrayList<>(List.of("kubectl", "--request-timeout=30s"));
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("kubectl", ".out");
      Path errors = Files.createTempFile("kubectl", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IllegalStateException(String.join(" ", command) + " takes too long");
        }
        return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
