package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;

/** Answers what other replicas ask to become this one's equal. */
@FunctionalInterface
public interface SyncSource {
  /** Answers a request, exactly once, on {@code loop}. */
  void serve(SyncRequest request, Executor loop, Waiter<ReplicaReply> waiter);
}
