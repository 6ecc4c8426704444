package dev.kvorum.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;

/**
 * Keeps the logs of all containers of a failed test, those that it has removed as well: in full
 * below {@code target/container-logs}, and their last lines in the test's report.
 */
final class KeepsLogs
    implements AfterTestExecutionCallback,
        AfterEachCallback,
        LifecycleMethodExecutionExceptionHandler {
  private static final Path DIRECTORY = Path.of("target", "container-logs");
  private static final int LINES_MAX = 20;

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isPresent()) {
      keep(context);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    NodeContainer.dropStopped();
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    keep(context);
    throw failure;
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    keep(context);
    throw failure;
  }

  private static void keep(ExtensionContext context) throws IOException {
    String test =
        context.getRequiredTestClass().getSimpleName()
            + context.getTestMethod().map(method -> "." + method.getName()).orElse("");
    Path directory = Files.createDirectories(DIRECTORY.resolve(test));
    int number = 0;
    for (NodeContainer node : NodeContainer.all()) {
      Path file = directory.resolve(number++ + "-" + node.name() + ".log");
      Files.writeString(file, node.log());
      System.out.println(
          "---- " + test + " failed; log of " + node.name() + " in " + file.toAbsolutePath());
      System.out.println(LogEnd.of(node.log(), LINES_MAX));
    }
  }
}
