package dev.kvorum.membership;

/** A data directory that this node must not touch; the message names its owner. */
public final class ForeignDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ForeignDirectoryException(String message) {
    super(message);
  }
}
