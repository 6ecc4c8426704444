package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.EngineException.Kind;
import dev.kvorum.storage.engine.StoreOpenException;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Classifies RocksDB's failures. */
final class RocksErrors {
  private RocksErrors() {}

  static EngineException of(RocksDBException failure) {
    String message = String.valueOf(failure.getMessage());
    return new EngineException(message, kindOf(failure.getStatus(), message), failure);
  }

  /** Why a store cannot be opened, from a failure of RocksDB or of the file system. */
  static StoreOpenException unopened(Path directory, Exception failure) {
    if (!(failure instanceof RocksDBException ofRocks)) {
      return StoreOpenException.of(directory, failure);
    }
    if (String.valueOf(failure.getMessage()).contains("Direct I/O is not supported")) {
      return new StoreOpenException(
          directory,
          "its file system does not support direct I/O",
          "set kvorum.storage.direct-io to off",
          failure);
    }
    return StoreOpenException.of(directory, of(ofRocks));
  }

  /** Returns whether a read from memory failed because the data is not in memory. */
  static boolean isIncomplete(RocksDBException failure) {
    return failure.getStatus() != null && failure.getStatus().getCode() == Status.Code.Incomplete;
  }

  private static Kind kindOf(Status status, String message) {
    return switch (status == null ? Status.Code.Undefined : status.getCode()) {
      case Corruption -> Kind.CORRUPTION;
      case IOError -> kindOfIoError(message);
      case Ok,
          NotFound,
          NotSupported,
          InvalidArgument,
          MergeInProgress,
          Incomplete,
          ShutdownInProgress,
          TimedOut,
          Aborted,
          Busy,
          Expired,
          TryAgain,
          Undefined ->
          Kind.OTHER;
    };
  }

  private static Kind kindOfIoError(String message) {
    // A table, a log or a manifest; only RocksDB itself may delete one.
    if (message.contains("No such file or directory")) {
      return Kind.CORRUPTION;
    }
    // RocksDB resumes by itself once there is space.
    return message.contains("No space left on device") ? Kind.OTHER : Kind.IO_ERROR;
  }
}
