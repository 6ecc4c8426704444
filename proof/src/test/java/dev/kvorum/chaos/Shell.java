package dev.kvorum.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Commands of the machine. */
final class Shell {
  /** The exit code of a shell for a command that does not exist or may not be run. */
  private static final int NOT_STARTED = 127;

  private Shell() {}

  private record Result(int code, String output) {}

  /** Runs a command that has to succeed; its output. */
  static String run(String... command) {
    Result result = execute(command);
    if (result.code != 0) {
      throw new IllegalStateException(
          String.join(" ", command) + " ends with " + result.code + ": " + result.output);
    }
    return result.output;
  }

  /** Runs a command and returns whether it succeeded. */
  static boolean attempt(String... command) {
    return execute(command).code == 0;
  }

  private static Result execute(String... command) {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return new Result(NOT_STARTED, String.valueOf(e.getMessage()));
    }
    try {
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
