package dev.kvorum;

/** A node that cannot start as it is set up; the message tells the user what to change. */
public final class NodeStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NodeStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
