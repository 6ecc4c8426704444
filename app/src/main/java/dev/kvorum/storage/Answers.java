package dev.kvorum.storage;

import dev.kvorum.data.Refusal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;

/** The answers of one batch, held back until it is durable and then given loop by loop. */
final class Answers {
  static final Applied FAILED = new Applied.Refused(Refusal.STORAGE_FAILED);

  private final FailureLog failures;
  private final IdentityHashMap<Executor, List<Answer>> byLoop = new IdentityHashMap<>();

  private record Answer(Waiter<Applied> waiter, Applied outcome) {}

  Answers(FailureLog failures) {
    this.failures = failures;
  }

  void add(Executor loop, Waiter<Applied> waiter, Applied outcome) {
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
        // The loop has ended, and with it whoever waited; the other loops have not.
        failures.note("a loop does not take answers any more", e);
      }
    });
    byLoop.clear();
  }

  private void give(Answer answer, boolean durable) {
    Applied outcome =
        switch (answer.outcome) {
          case Applied.Stored stored -> durable ? stored : FAILED;
          // What superseded it may have been in the batch that was lost.
          case Applied.Superseded superseded -> durable ? superseded : FAILED;
          case Applied.Refused refused -> refused;
        };
    try {
      answer.waiter.answer(outcome);
    } catch (RuntimeException e) {
      // The others of this loop still have to hear theirs.
      failures.note("a waiter failed on its answer", e);
    }
  }
}
