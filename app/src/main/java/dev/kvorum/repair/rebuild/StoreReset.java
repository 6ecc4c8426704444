package dev.kvorum.repair.rebuild;

import java.util.concurrent.Executor;

/** The way to a fresh store for a member that can no longer rely on what it holds. */
@FunctionalInterface
public interface StoreReset {
  /**
   * Sets the store aside and continues with an empty one, marks included, in which {@code
   * set-aside} is 1. Does not block. If it cannot be done, {@code done} is never run: the member
   * stays without a vote in reads.
   *
   * @param reason for people
   * @param loop where {@code done} is run
   */
  void startOver(String reason, Executor loop, Runnable done);
}
