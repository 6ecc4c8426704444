package dev.kvorum.cli;

/** A failure with a message for the user. */
final class KvException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  KvException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
