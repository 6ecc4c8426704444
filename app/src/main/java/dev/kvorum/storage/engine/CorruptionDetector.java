package dev.kvorum.storage.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Reports the first sign of corruption, once, to the owner of the store. */
final class CorruptionDetector {
  private final Consumer<String> owner;
  private final AtomicBoolean raised = new AtomicBoolean();

  /**
   * Creates the detector of one open store.
   *
   * @param owner called once, on any thread including event loops; must not block
   */
  CorruptionDetector(Consumer<String> owner) {
    this.owner = owner;
  }

  boolean isRaised() {
    return raised.get();
  }

  /** Reports the failure if it is the first sign of corruption. */
  void consider(String what, Throwable failure) {
    if (isCorruption(failure) && raised.compareAndSet(false, true)) {
      owner.accept(what + ": " + failure.getMessage());
    }
  }

  /**
   * Returns whether the files are not as written: wrong bytes, or a missing file. A full disk,
   * denied access or a failing disk is no corruption.
   */
  static boolean isCorruption(Throwable failure) {
    return switch (failure) {
      // A single record, damaged in memory before it reached the disk: only this record is
      // repaired.
      case ChecksumMismatchException e -> false;
      case CorruptRecordException e -> true;
      case EngineException e -> e.kind() == EngineException.Kind.CORRUPTION;
      default -> false;
    };
  }
}
