package dev.kvorum.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;

/**
 * Keeps the logs of all containers when a test fails: in full below {@code target/container-logs},
 * and their last lines in the test's report.
 */
final class KeepsLogs
    implements AfterTestExecutionCallback, LifecycleMethodExecutionExceptionHandler {
  private static final Path DIRECTORY = Path.of("target", "container-logs");
  private static final int LINES_MAX = 20;

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isPresent()) {
      keep(context);
    }
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    keep(context);
    throw failure;
  }

  private static void keep(ExtensionContext context) throws IOException {
    String test =
        context.getRequiredTestClass().getSimpleName()
            + context.getTestMethod().map(method -> "." + method.getName()).orElse("");
    Path directory = Files.createDirectories(DIRECTORY.resolve(test));
    for (NodeContainer node : NodeContainer.all()) {
      Optional<String> log = node.logIfThere();
      if (log.isPresent()) {
        Path file = directory.resolve(node.name() + ".log");
        Files.writeString(file, log.get());
        System.out.println(
            "---- " + test + " failed; log of " + node.name() + " in " + file.toAbsolutePath());
        System.out.println(LogEnd.of(log.get(), LINES_MAX));
      }
    }
  }
}
