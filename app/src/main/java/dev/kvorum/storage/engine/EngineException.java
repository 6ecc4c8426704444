package dev.kvorum.storage.engine;

/** A key-value database failed to execute an operation. */
public final class EngineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean isCorruption;

  /**
   * Creates an exception for a failure.
   *
   * @param isCorruption whether the files are not as written
   */
  public EngineException(String message, boolean isCorruption, Throwable cause) {
    super(message, cause);
    this.isCorruption = isCorruption;
  }

  /** Returns whether the files are not as written, rather than temporarily unreachable. */
  boolean isCorruption() {
    return isCorruption;
  }
}
