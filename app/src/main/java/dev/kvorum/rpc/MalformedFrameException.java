package dev.kvorum.rpc;

/** A frame that does not follow the protocol; it costs the connection it came on. */
final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedFrameException(String message) {
    super(message);
  }
}
