package dev.kvorum.backup.objectstore;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An object store rejected or failed. The message is a sentence for operators, without secrets. */
public final class ObjectStoreException extends IOException {
  private static final long serialVersionUID = 1;

  /** What an operator or a retry can do about it. */
  public enum Reason {
    /** No connection. */
    UNREACHABLE,
    /** Overloaded, timed out, or failed inside. */
    UNAVAILABLE,
    /** Missing, wrong or insufficient credentials. */
    DENIED,
    /** There is no such bucket or directory. */
    NOT_FOUND,
    /** No space, or over a quota. */
    FULL,
    /** The store can never do this. */
    INVALID
  }

  private final Reason reason;

  public ObjectStoreException(Reason reason, String message) {
    this(reason, message, null);
  }

  public ObjectStoreException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** Whether the same call may succeed a little later, with nobody doing anything. */
  public boolean isTransient() {
    return reason == Reason.UNREACHABLE || reason == Reason.UNAVAILABLE;
  }
}
