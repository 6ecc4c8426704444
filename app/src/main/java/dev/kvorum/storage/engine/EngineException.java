package dev.kvorum.storage.engine;

/** A key-value database could not do what it was asked for. */
public final class EngineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean isCorruption;

  /**
   * A failure.
   *
   * @param isCorruption whether the files are not what was written
   */
  public EngineException(String message, boolean isCorruption, Throwable cause) {
    super(message, cause);
    this.isCorruption = isCorruption;
  }

  /** Whether the files are not what was written, rather than unreachable for now. */
  boolean isCorruption() {
    return isCorruption;
  }
}
