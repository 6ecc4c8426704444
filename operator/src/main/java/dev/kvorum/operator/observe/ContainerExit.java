package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes why a node's container ended: by its exit code, and by the line of its log that gives
 * the cause. What differs from one crash to the next, such as times, is left out.
 */
final class ContainerExit {
  private static final int LENGTH_MAX = 300;

  /** The node's own report, up to the next field of a structured log, or the JVM's. */
  private static final Pattern CAUSE =
      Pattern.compile(
          "The node does not start: (?<node>.+?)(?=\",\"|$)"
              + "|^(?<jvm>Unrecognized .+"
              + "|Error: (?!Could not create the Java|A fatal exception).+"
              + "|Error occurred during initialization of VM\\R.+"
              + "|Terminating due to .+)",
          Pattern.MULTILINE);

  private ContainerExit() {}

  static String describe(ContainerStateTerminated ended) {
    String text = "its container ended with exit code " + ended.getExitCode();
    if ("OOMKilled".equals(ended.getReason())) {
      return text + ": the kernel killed it at its memory limit";
    }
    return cause(Objects.requireNonNullElse(ended.getMessage(), ""))
        .map(cause -> text + ": " + cause)
        .orElse(text);
  }

  private static Optional<String> cause(String log) {
    Matcher cause = CAUSE.matcher(log);
    if (!cause.find()) {
      return Optional.empty();
    }
    String line =
        Objects.requireNonNullElse(cause.group("node"), cause.group("jvm"))
            .replaceAll("\\R", ": ")
            .replace("\\\"", "\"")
            .strip();
    return Optional.of(line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "…");
  }
}
