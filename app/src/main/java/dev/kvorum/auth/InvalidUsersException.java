package dev.kvorum.auth;

/** A file of users that cannot be used, and why. */
final class InvalidUsersException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidUsersException(String message) {
    super(message);
  }
}
