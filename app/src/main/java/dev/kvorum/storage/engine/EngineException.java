package dev.kvorum.storage.engine;

/** A key-value database failed to execute an operation. */
public final class EngineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** What failed. */
  public enum Kind {
    /** The files are not as written, rather than temporarily unreachable. */
    CORRUPTION,
    /** The disk did not read or write; a lack of space is not meant. */
    IO_ERROR,
    OTHER
  }

  public EngineException(String message, Kind kind, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The store has been closed. */
  public static EngineException ofClosedStore() {
    String what = "the store is closed";
    return new EngineException(what, Kind.OTHER, new IllegalStateException(what));
  }

  Kind kind() {
    return kind;
  }
}
