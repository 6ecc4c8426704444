package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;

/** Sends other members what they gain by a change. */
@FunctionalInterface
public interface TransferSource {
  /** Answers a page on {@code loop}. Called on any event loop. */
  void serve(TransferRequest.CopyGained copy, Executor loop, Waiter<ReplicaReply> waiter);
}
