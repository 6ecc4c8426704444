package dev.kvorum.plugin;

import dev.kvorum.cli.DurationConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long a command waits for the operator. */
@Command
final class WaitOption {
  private static final long POLL_MILLIS = 500;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = DurationConverter.class,
      description = "longest time to wait, such as 5m; default 1h")
  private Duration timeout = Duration.ofHours(1);

  WaitOption() {}

  /**
   * How far it is.
   *
   * @param exitCode empty before its end
   */
  record Progress(String message, OptionalInt exitCode) {}

  /**
   * Prints progress until the end, and returns the exit code.
   *
   * @param late what is said if the time is over
   * @param interrupted what is done when the user ends the command, such as by Ctrl-C
   */
  int await(PrintWriter out, String late, Runnable interrupted, Supplier<Progress> progress)
      throws InterruptedException {
    Thread hook = new Thread(interrupted);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      long deadline = System.nanoTime() + timeout.toNanos();
      String said = "";
      while (System.nanoTime() - deadline < 0) {
        Progress now = progress.get();
        if (!now.message().isEmpty() && !now.message().equals(said)) {
          out.println(now.message());
          out.flush();
          said = now.message();
        }
        if (now.exitCode().isPresent()) {
          return now.exitCode().getAsInt();
        }
        Thread.sleep(POLL_MILLIS);
      }
      throw Target.failed("The time to wait is over: " + late);
    } finally {
      forget(hook);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs already.
    }
  }
}
