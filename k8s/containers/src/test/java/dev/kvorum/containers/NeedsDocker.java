package dev.kvorum.containers;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Skips tests on a machine without Docker, with one line that says so. Docker that disappears
 * meanwhile is a failure.
 */
final class NeedsDocker
    implements ExecutionCondition,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private static boolean seen;
  private static boolean reported;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return evaluate();
  }

  private static synchronized ConditionEvaluationResult evaluate() {
    if (seen) {
      return ConditionEvaluationResult.enabled("Docker is there");
    }
    Optional<String> obstacle = Docker.obstacle();
    if (obstacle.isEmpty()) {
      seen = true;
      return ConditionEvaluationResult.enabled("Docker is there");
    }
    if (!reported && Integer.getInteger("test.fork", 1) == 1) {
      reported = true;
      System.out.println("skipped: the container tests need Docker (" + obstacle.get() + ")");
    }
    return ConditionEvaluationResult.disabled("no Docker");
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw orDocker(failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw orDocker(failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw orDocker(failure);
  }

  /** The failure, or what explains it better. */
  private static Throwable orDocker(Throwable failure) {
    return Docker.obstacle()
        .<Throwable>map(obstacle ->
            new IllegalStateException(
                "Docker stopped responding during the test: " + obstacle, failure))
        .orElse(failure);
  }
}
