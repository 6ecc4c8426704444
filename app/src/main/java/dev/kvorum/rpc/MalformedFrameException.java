package dev.kvorum.rpc;

/** A frame that violates the protocol. Its connection is closed. */
final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedFrameException(String message) {
    super(message);
  }
}
