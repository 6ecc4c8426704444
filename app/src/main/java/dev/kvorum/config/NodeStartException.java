package dev.kvorum.config;

/** A node cannot start with its configuration; the message names what to change. */
public final class NodeStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NodeStartException(String message) {
    super(message);
  }

  public NodeStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
