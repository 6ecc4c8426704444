package dev.kvorum.operator.loadtest.observe;

/** The user that requests of a load test come from. */
public sealed interface LoadUser {
  /** None is needed: the cluster's nodes serve everyone. */
  record Unneeded() implements LoadUser {}

  /** There is none yet. */
  record Absent() implements LoadUser {}

  /** One of that name belongs to another owner. */
  record Foreign() implements LoadUser {}

  /**
   * Nodes may reject its requests.
   *
   * @param trouble whether this is more than a matter of time
   */
  record NotReady(String why, boolean trouble) implements LoadUser {}

  /**
   * All nodes know it.
   *
   * @param secret name of the Secret with its token
   */
  record Ready(String secret) implements LoadUser {}
}
