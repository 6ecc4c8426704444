package dev.kvorum.auth.serviceaccount;

/** A token is not taken. */
final class RefusedTokenException extends Exception {
  private static final long serialVersionUID = 1;

  RefusedTokenException(String reason) {
    super(reason);
  }
}
