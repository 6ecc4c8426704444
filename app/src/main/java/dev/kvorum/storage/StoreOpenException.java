package dev.kvorum.storage;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A store's directory that cannot be opened; says which, what is wrong and what to do. */
public final class StoreOpenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreOpenException(Path directory, String wrong, String advice, @Nullable Throwable cause) {
    super(message(directory, wrong, advice), cause);
  }

  StoreOpenException(Path directory, String wrong, String advice) {
    super(message(directory, wrong, advice));
  }

  private static String message(Path directory, String wrong, String advice) {
    return "cannot open the store in " + directory.toAbsolutePath() + ": " + wrong + "; " + advice;
  }

  static StoreOpenException of(Path directory, RocksDBException failure) {
    String said = String.valueOf(failure.getMessage());
    Status status = failure.getStatus();
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
    if (status != null && status.getCode() == Status.Code.Corruption) {
      return damaged(directory, said, failure);
    }
    return new StoreOpenException(
        directory, said, "see to the disk and start the node again", failure);
  }

  static StoreOpenException damaged(Path directory, String what, @Nullable Throwable cause) {
    return new StoreOpenException(
        directory,
        "its files are damaged (" + what + ")",
        "keep a copy, then empty the directory so that the node rebuilds from its peers",
        cause);
  }
}
