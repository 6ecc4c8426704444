package dev.kvorum.auth;

import dev.kvorum.auth.serviceaccount.TokenResult;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Who sends a request, as far as its credentials prove it. */
public sealed interface Identity {
  /**
   * A user.
   *
   * @param untilNanos when it must be found out again, in {@link System#nanoTime()}; empty: when
   *     credentials or users change
   */
  record Known(User user, OptionalLong untilNanos) implements Identity {}

  /** Nobody that is known. */
  enum Unknown implements Identity {
    /** No user has these credentials. */
    WRONG,
    /** Too many of this address were wrong: these were not looked at. */
    BLOCKED,
    /** The API server did not say whether they are genuine. */
    UNCHECKED
  }

  /**
   * Being found out.
   *
   * @param result comes on another thread
   */
  record Checking(CompletionStage<TokenResult> result) implements Identity {}
}
