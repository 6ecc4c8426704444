package dev.kvorum.repair;

import java.util.concurrent.Executor;

/** The way to a fresh store for a member that can no longer rely on what it holds. */
@FunctionalInterface
public interface StartOver {
  /**
   * Puts the store aside and goes on with an empty one, marks included, in which {@code set-aside}
   * is 1. Does not block. If it cannot be done, {@code done} is never run: the member stays without
   * a say in reads.
   *
   * @param reason for people
   * @param loop where {@code done} is run
   */
  void startOver(String reason, Executor loop, Runnable done);
}
