package dev.kvorum.storage.engine;

/**
 * Detects errors of flushes and compactions, for which no request waits. RocksDB counts them and
 * rejects all writes after a corruption.
 */
final class BackgroundErrors {
  private final Engine engine;
  private final FailureLog failures;
  private long seen;

  BackgroundErrors(Engine engine, FailureLog failures) {
    this.engine = engine;
    this.failures = failures;
  }

  /** Checks for errors since the last check. Blocks; confined to one thread. */
  void look() {
    try {
      long count = engine.backgroundErrors();
      if (count != seen) {
        seen = count;
        writeNothing();
      }
    } catch (EngineException e) {
      failures.note("a flush or compaction failed", e);
    }
  }

  /** Obtains the cause, which the count does not include: an empty write fails with it. */
  private void writeNothing() throws EngineException {
    try (EngineBatch nothing = engine.batch()) {
      nothing.write(false);
    }
  }
}
