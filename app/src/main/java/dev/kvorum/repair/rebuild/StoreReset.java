package dev.kvorum.repair.rebuild;

import java.util.concurrent.Executor;

/** Replaces the store of a member that can no longer rely on its records. */
@FunctionalInterface
public interface StoreReset {
  /**
   * Sets the store aside and continues with an empty one, whose mark {@code set-aside} is 1. Does
   * not block. If it fails, {@code done} is never called: the member stays without a vote in reads.
   *
   * @param reason for the log
   * @param loop on which {@code done} runs
   */
  void reset(String reason, Executor loop, Runnable done);
}
