package dev.kvorum.storage.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A store's directory cannot be opened; the message contains the directory, the cause and the
 * remedy.
 */
public final class StoreOpenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean damage;

  public StoreOpenException(
      Path directory, String wrong, String advice, boolean damage, @Nullable Throwable cause) {
    super(message(directory, wrong, advice), cause);
    this.damage = damage;
  }

  public StoreOpenException(
      Path directory, String wrong, String advice, @Nullable Throwable cause) {
    this(directory, wrong, advice, false, cause);
  }

  public StoreOpenException(Path directory, String wrong, String advice) {
    this(directory, wrong, advice, false, null);
  }

  /** Returns whether the files are corrupted, so that opening them again would not help. */
  public boolean isCorruption() {
    return damage;
  }

  private static String message(Path directory, String wrong, String advice) {
    return "cannot open the store in " + directory.toAbsolutePath() + ": " + wrong + "; " + advice;
  }

  /**
   * Creates the exception for files that cannot be read or written, or a store that RocksDB does
   * not open.
   */
  public static StoreOpenException of(Path directory, Exception failure) {
    String said = String.valueOf(failure.getMessage());
    if (said.contains("lock hold by current process") || said.contains("/LOCK: Resource")) {
      return new StoreOpenException(
          directory,
          "another process is using it (" + said + ")",
          "stop that process or give this node its own directory",
          failure);
    }
    if (said.contains("Permission denied")) {
      return new StoreOpenException(
          directory,
          "access was denied (" + said + ")",
          "grant the user of the node read and write access to the directory and its files",
          failure);
    }
    if (CorruptionDetector.isCorruption(failure)) {
      return damaged(directory, said, failure);
    }
    return new StoreOpenException(directory, said, "repair the disk and restart the node", failure);
  }

  public static StoreOpenException damaged(Path directory, String what, @Nullable Throwable cause) {
    return new StoreOpenException(
        directory,
        "its files are corrupted (" + what + ")",
        "keep a copy; a node that has peers rebuilds from them when it is started with"
            + " kvorum.storage.on-corruption=rebuild",
        true,
        cause);
  }
}
