package dev.kvorum.operator.view;

/** The user that requests of a Job come from. */
public sealed interface JobUser {
  /** None is needed: the cluster's nodes serve everyone. */
  record Unneeded() implements JobUser {}

  /** There is none yet. */
  record Absent() implements JobUser {}

  /** One of that name belongs to another owner. */
  record Foreign() implements JobUser {}

  /**
   * Nodes may reject its requests.
   *
   * @param trouble whether this is more than a matter of time
   */
  record NotReady(String why, boolean trouble) implements JobUser {}

  /**
   * All nodes know it.
   *
   * @param secret name of the Secret with its token
   */
  record Ready(String secret) implements JobUser {}
}
