package dev.kvorum.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** kubectl on the Kubernetes that KUBECONFIG points at. */
final class Kubectl {
  private static final long SECONDS_MAX = 60;

  private Kubectl() {}

  /** What a command printed. */
  private record Result(int code, String output) {}

  /** Why there is no Kubernetes, or empty. */
  static Optional<String> obstacle() {
    if (System.getenv().getOrDefault("KUBECONFIG", "").isEmpty()) {
      return Optional.of("KUBECONFIG is not set");
    }
    try {
      Result version = result("version", "-o", "json");
      return version.code == 0 ? Optional.empty() : Optional.of(version.output.strip());
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
          "kubectl " + String.join(" ", arguments) + " failed: " + result.output);
    }
    return result.output;
  }

  private static Result result(String... arguments) {
    List<String> command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", command) + " takes too long");
      }
      return new Result(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
