package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Holds back the replies of one batch until it is durable, and then sends them loop by loop. */
public final class BatchReplies {
  public static final WriteResult FAILED = new WriteResult.Rejected(RejectReason.STORAGE_FAILED);

  private final FailureLog failures;

  /** In the order of their first replies, which makes simulations repeatable. */
  private final Map<Executor, List<Reply>> byLoop = new LinkedHashMap<>();

  private record Reply(Waiter<WriteResult> waiter, WriteResult outcome) {}

  BatchReplies(FailureLog failures) {
    this.failures = failures;
  }

  void add(Executor loop, Waiter<WriteResult> waiter, WriteResult outcome) {
    byLoop.computeIfAbsent(loop, l -> new ArrayList<>()).add(new Reply(waiter, outcome));
  }

  /**
   * Sends all replies, one task per event loop.
   *
   * @param durable whether the batch was written; if not, all replies except rejections become
   *     failures
   */
  void give(boolean durable) {
    byLoop.forEach((loop, replies) -> {
      try {
        loop.execute(() -> replies.forEach(reply -> give(reply, durable)));
      } catch (RuntimeException | Error e) {
        // This event loop has ended with all its waiters; the others have not.
        failures.note("an event loop no longer accepts replies", e);
      }
    });
    byLoop.clear();
  }

  private void give(Reply reply, boolean durable) {
    WriteResult outcome =
        switch (reply.outcome) {
          case WriteResult.Stored stored -> durable ? stored : FAILED;
          // The superseding write may have been in the failed batch.
          case WriteResult.Superseded superseded -> durable ? superseded : FAILED;
          case WriteResult.Rejected rejected -> rejected;
        };
    try {
      reply.waiter.reply(outcome);
    } catch (RuntimeException | Error e) {
      // The other waiters of this loop still have to receive their replies.
      failures.note("a waiter failed on its reply", e);
    }
  }
}
