package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadResult;

/**
 * The one thing to do next. Each is at most one write of an object, or one of the status, and may
 * be repeated or lost without harm.
 */
public sealed interface LoadStep {
  /** Write down that it has begun, and of which cluster. */
  record Begin(String clusterId) implements LoadStep {}

  /** Make the scripts, or put them right. */
  record PutScripts() implements LoadStep {}

  /** Make the Job that puts every key once, from 0 how often it was made before. */
  record CreateFill(int attempt) implements LoadStep {}

  /** Write down that every key is there. */
  record Filled(String message) implements LoadStep {}

  /** Make the Job that offers a rate. */
  record CreateJob(int step, long rate) implements LoadStep {}

  /** Write down what a rate came to. */
  record Measured(LoadResult result) implements LoadStep {}

  /** Write down that all rates have been measured. */
  record Complete() implements LoadStep {}

  /** Write down that it has ended before that. */
  record Fail(LoadReason reason, String message) implements LoadStep {}

  /** Remove a Job that may still offer load though the load test has ended. */
  record RemoveJob(String job) implements LoadStep {}

  /**
   * Nothing can be done until something else has happened.
   *
   * @param trouble whether this is not as it should be
   */
  record Wait(LoadReason reason, String message, boolean trouble) implements LoadStep {}

  /** It has ended, or is on its way out. */
  record Rest() implements LoadStep {}
}
