package dev.kvorum.operator.api;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Finds and builds the conditions of a status. */
public final class Conditions {
  /** Whether the operator is at work, as kstatus and what uses it expect. */
  public static final String RECONCILING = "Reconciling";

  /** Whether nothing goes on before somebody intervenes; then kstatus waits no longer. */
  public static final String STALLED = "Stalled";

  /** Whether the operator changes something, or waits until it can. */
  public static final String PROGRESSING = "Progressing";

  private Conditions() {}

  /** Returns the condition of a type; empty if there is none. */
  public static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(it -> it.getType().equals(type)).findFirst();
  }

  /** Returns the condition of a type if it is true. */
  public static Optional<Condition> ifTrue(List<Condition> conditions, String type) {
    return find(conditions, type).filter(it -> it.getStatus().equals("True"));
  }

  /**
   * Returns the reason of a condition that is true, for plans, which are made from values alone.
   */
  public static Optional<String> whyTrue(List<Condition> conditions, String type) {
    return ifTrue(conditions, type).map(Condition::getReason);
  }

  /**
   * Begins the next condition of a type. Its time changes only with its value.
   *
   * @param before the conditions of the status so far
   */
  public static ConditionBuilder next(
      List<Condition> before,
      String type,
      boolean holds,
      String reason,
      String message,
      Instant now) {
    String status = holds ? "True" : "False";
    String since =
        find(before, type)
            .filter(it -> it.getStatus().equals(status))
            .map(Condition::getLastTransitionTime)
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .withLastTransitionTime(since);
  }
}
