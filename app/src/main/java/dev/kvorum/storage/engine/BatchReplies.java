package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** The answers of one batch, held back until it is durable and then given loop by loop. */
public final class BatchReplies {
  public static final WriteResult FAILED = new WriteResult.Refused(RejectReason.STORAGE_FAILED);

  private final FailureLog failures;

  /** In the order of their first answers, which makes simulations repeatable. */
  private final Map<Executor, List<Answer>> byLoop = new LinkedHashMap<>();

  private record Answer(Waiter<WriteResult> waiter, WriteResult outcome) {}

  BatchReplies(FailureLog failures) {
    this.failures = failures;
  }

  void add(Executor loop, Waiter<WriteResult> waiter, WriteResult outcome) {
    byLoop.computeIfAbsent(loop, l -> new ArrayList<>()).add(new Answer(waiter, outcome));
  }

  /**
   * Gives all answers, one task for each loop.
   *
   * @param durable whether the batch was written; if not, only refusals stay what they are
   */
  void give(boolean durable) {
    byLoop.forEach((loop, answers) -> {
      try {
        loop.execute(() -> answers.forEach(answer -> give(answer, durable)));
      } catch (RuntimeException e) {
        // The loop has ended with all its waiters; the other loops have not.
        failures.note("a loop does not take answers any more", e);
      }
    });
    byLoop.clear();
  }

  private void give(Answer answer, boolean durable) {
    WriteResult outcome =
        switch (answer.outcome) {
          case WriteResult.Stored stored -> durable ? stored : FAILED;
          // What superseded it may have been in the batch that was lost.
          case WriteResult.Superseded superseded -> durable ? superseded : FAILED;
          case WriteResult.Refused refused -> refused;
        };
    try {
      answer.waiter.answer(outcome);
    } catch (RuntimeException e) {
      // The other waiters of this loop still have to receive their replies.
      failures.note("a waiter failed on its answer", e);
    }
  }
}
