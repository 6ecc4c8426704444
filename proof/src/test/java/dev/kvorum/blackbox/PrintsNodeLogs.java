package dev.kvorum.blackbox;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;

/** Prints the nodes' last log lines when a test fails. */
public final class PrintsNodeLogs
    implements AfterTestExecutionCallback, LifecycleMethodExecutionExceptionHandler {
  private static final int CHARACTERS_MAX = 8_000;

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      print(context.getDisplayName());
    }
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    print(context.getDisplayName());
    throw failure;
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    print(context.getDisplayName());
    throw failure;
  }

  private static void print(String test) {
    for (NodeProcess node : NodeProcess.all()) {
      String log = node.log();
      String end = log.substring(Math.max(0, log.length() - CHARACTERS_MAX));
      System.err.println("---- " + test + " failed; log of " + node.name() + " ----\n" + end);
    }
  }
}
