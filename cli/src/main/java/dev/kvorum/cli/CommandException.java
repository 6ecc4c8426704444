package dev.kvorum.cli;

/** A failure of a command, with a message for its user. */
public final class CommandException extends RuntimeException {
  /** Exit code of a wrong command. */
  public static final int WRONG = 2;

  /** Exit code of a command that failed. */
  public static final int FAILED = 3;

  private static final long serialVersionUID = 1;

  private final int exitCode;

  public CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
