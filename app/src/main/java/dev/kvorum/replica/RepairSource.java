package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;

/** Serves requests of replicas that become equal to this one. */
@FunctionalInterface
public interface RepairSource {
  /** Replies to a request exactly once, on {@code loop}. */
  void serve(RepairRequest request, Executor loop, Waiter<ReplicaReply> waiter);
}
