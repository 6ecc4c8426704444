package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;

/** Sends members the records that they gain in a membership change. */
@FunctionalInterface
public interface TransferSource {
  /** Replies with a page on {@code loop}. Safe for any event loop. */
  void serve(TransferRequest.CopyGained copy, Executor loop, Waiter<ReplicaReply> waiter);
}
