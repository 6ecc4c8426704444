package dev.kvorum.auth.serviceaccount;

/** What is known of a token. */
public sealed interface TokenResult {
  /**
   * It proves who sends it.
   *
   * @param name the ServiceAccount's namespace and name, with a slash in between
   * @param untilNanos when it must be checked again, in {@link System#nanoTime()}
   */
  record Account(String name, long untilNanos) implements TokenResult {}

  /** It proves nothing. */
  record Rejected() implements TokenResult {}

  /** It cannot be told now. */
  record Unchecked() implements TokenResult {}
}
