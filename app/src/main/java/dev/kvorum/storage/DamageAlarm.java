package dev.kvorum.storage;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The first sign of damaged files, told once to whoever can do something about it. */
final class DamageAlarm {
  private final Consumer<String> owner;
  private final AtomicBoolean raised = new AtomicBoolean();

  /**
   * Watches one open store.
   *
   * @param owner called once, on any thread, event loops among them: must not block
   */
  DamageAlarm(Consumer<String> owner) {
    this.owner = owner;
  }

  boolean isRaised() {
    return raised.get();
  }

  /** Raises the alarm if this failure is a sign of damage. */
  void consider(String what, Throwable failure) {
    if (isDamage(failure) && raised.compareAndSet(false, true)) {
      owner.accept(what + ": " + failure.getMessage());
    }
  }

  /**
   * Whether the files are not what was written: wrong bytes, or a file that is gone. Not so for a
   * disk that is full, denies access or fails.
   */
  static boolean isDamage(Throwable failure) {
    return switch (failure) {
      // One record was damaged before it came to the disk, or in memory: it alone is repaired.
      case ChecksumMismatchException e -> false;
      case CorruptRecordException e -> true;
      case RocksDBException e -> isDamage(e.getStatus(), String.valueOf(e.getMessage()));
      default -> false;
    };
  }

  private static boolean isDamage(Status status, String said) {
    return switch (status == null ? Status.Code.Undefined : status.getCode()) {
      case Corruption -> true;
      // A table, a log or a manifest; nobody but RocksDB itself may delete one.
      case IOError -> said.contains("No such file or directory");
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
          false;
    };
  }
}
