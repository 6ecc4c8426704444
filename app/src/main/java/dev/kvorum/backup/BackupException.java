package dev.kvorum.backup;

import java.util.Locale;

/** A backup cannot be made, or not now. */
public final class BackupException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why. */
  public enum Reason {
    /** The member's state does not permit a checkpoint that counts. */
    NOT_READY,
    /** The database could not be copied, or a copied file not be read. */
    CHECKPOINT,
    /** The disk has too little space for what the checkpoint keeps. */
    DISK_PRESSURE,
    /** The object store rejected a request, or did not respond for too long. */
    OBJECT_STORE,
    /** It was cancelled, or the node stops. */
    CANCELLED;

    /** The value of a metric's tag. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  BackupException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  BackupException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
