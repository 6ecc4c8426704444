package dev.kvorum.membership;

/** The data directory must not be used by this node; the message names its owner. */
public final class ForeignDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ForeignDirectoryException(String message) {
    super(message);
  }
}
