package dev.kvorum.auth.serviceaccount;

/** A token is not taken. */
final class RejectedTokenException extends Exception {
  private static final long serialVersionUID = 1;

  RejectedTokenException(String reason) {
    super(reason);
  }
}
