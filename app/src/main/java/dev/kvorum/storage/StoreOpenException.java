package dev.kvorum.storage;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A store's directory that cannot be opened; says which, what is wrong and what to do. */
public final class StoreOpenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean damage;

  StoreOpenException(
      Path directory, String wrong, String advice, boolean damage, @Nullable Throwable cause) {
    super(message(directory, wrong, advice), cause);
    this.damage = damage;
  }

  StoreOpenException(Path directory, String wrong, String advice, @Nullable Throwable cause) {
    this(directory, wrong, advice, false, cause);
  }

  StoreOpenException(Path directory, String wrong, String advice) {
    this(directory, wrong, advice, false, null);
  }

  /** Whether the files are damaged, and opening them again would not help. */
  public boolean isDamage() {
    return damage;
  }

  private static String message(Path directory, String wrong, String advice) {
    return "cannot open the store in " + directory.toAbsolutePath() + ": " + wrong + "; " + advice;
  }

  /** For files that cannot be read or written, or a store that RocksDB does not open. */
  static StoreOpenException of(Path directory, Exception failure) {
    String said = String.valueOf(failure.getMessage());
    if (said.contains("lock hold by current process") || said.contains("/LOCK: Resource")) {
      return new StoreOpenException(
          directory,
          "another process is using it (" + said + ")",
          "stop that process or give this node a directory of its own",
          failure);
    }
    if (said.contains("Permission denied")) {
      return new StoreOpenException(
          directory,
          "access was denied (" + said + ")",
          "let the user who runs the node read and write the directory and its files",
          failure);
    }
    if (DamageAlarm.isDamage(failure)) {
      return damaged(directory, said, failure);
    }
    return new StoreOpenException(
        directory, said, "see to the disk and start the node again", failure);
  }

  static StoreOpenException damaged(Path directory, String what, @Nullable Throwable cause) {
    return new StoreOpenException(
        directory,
        "its files are damaged (" + what + ")",
        "keep a copy; a node that has peers rebuilds from them when it is started with"
            + " kvorum.storage.on-damage=rebuild",
        true,
        cause);
  }
}
