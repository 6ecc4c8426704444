package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadResult;

/**
 * The next step of a load test. Each is at most one write of an object or one of the status, and
 * may be repeated or lost without harm.
 */
public sealed interface LoadStep {
  /** Records the start and the id of the cluster. */
  record Begin(String clusterId) implements LoadStep {}

  /** Creates or updates the scripts. */
  record PutScripts() implements LoadStep {}

  /** Creates the user that the Jobs' requests come from. */
  record CreateUser(String name) implements LoadStep {}

  /**
   * Creates the Job that writes every key once.
   *
   * @param attempt number of earlier attempts
   */
  record CreateFill(int attempt) implements LoadStep {}

  /** Records the end of the fill: every key is written, up to tolerated errors. */
  record Filled(String message) implements LoadStep {}

  /** Creates the Job that offers a rate. */
  record CreateJob(int step, long rate) implements LoadStep {}

  /** Records the result of a rate. */
  record Measured(LoadResult result) implements LoadStep {}

  /** Records that all rates have been measured. */
  record Complete() implements LoadStep {}

  /** Records that the load test ended before all rates were measured. */
  record Fail(LoadReason reason, String message) implements LoadStep {}

  /** Deletes a Job that may still offer load although the load test has ended. */
  record RemoveJob(String job) implements LoadStep {}

  /**
   * Waits: nothing can be done until the observed state changes.
   *
   * @param trouble whether this is a problem
   */
  record Wait(LoadReason reason, String message, boolean trouble) implements LoadStep {}

  /** The load test has ended or is being deleted. */
  record Rest() implements LoadStep {}
}
