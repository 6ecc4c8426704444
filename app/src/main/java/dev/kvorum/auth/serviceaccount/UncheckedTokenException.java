package dev.kvorum.auth.serviceaccount;

/** Whether a token is genuine cannot be known now. */
final class UncheckedTokenException extends Exception {
  private static final long serialVersionUID = 1;

  UncheckedTokenException(String reason) {
    super(reason);
  }
}
