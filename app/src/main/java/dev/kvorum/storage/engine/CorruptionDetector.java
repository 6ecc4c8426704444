package dev.kvorum.storage.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Reports the first sign of damaged files, once, to the owner of the store. */
final class CorruptionDetector {
  private final Consumer<String> owner;
  private final AtomicBoolean raised = new AtomicBoolean();

  /**
   * Watches one open store.
   *
   * @param owner called once, on any thread, event loops among them: must not block
   */
  CorruptionDetector(Consumer<String> owner) {
    this.owner = owner;
  }

  boolean isRaised() {
    return raised.get();
  }

  /** Raises the alarm if this failure is a sign of damage. */
  void consider(String what, Throwable failure) {
    if (isCorruption(failure) && raised.compareAndSet(false, true)) {
      owner.accept(what + ": " + failure.getMessage());
    }
  }

  /**
   * Whether the files are not what was written: wrong bytes, or a file that is gone. Not so for a
   * disk that is full, denies access or fails.
   */
  static boolean isCorruption(Throwable failure) {
    return switch (failure) {
      // One record was damaged before it came to the disk, or in memory: it alone is repaired.
      case ChecksumMismatchException e -> false;
      case CorruptRecordException e -> true;
      case EngineException e -> e.isCorruption();
      default -> false;
    };
  }
}
