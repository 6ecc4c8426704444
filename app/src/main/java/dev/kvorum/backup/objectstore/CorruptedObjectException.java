package dev.kvorum.backup.objectstore;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted object is not what was stored under its name, or cannot be decrypted with this key.
 */
public final class CorruptedObjectException extends IOException {
  private static final long serialVersionUID = 1;

  CorruptedObjectException(String message) {
    this(message, null);
  }

  CorruptedObjectException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
