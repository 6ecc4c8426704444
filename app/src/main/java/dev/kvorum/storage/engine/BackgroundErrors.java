package dev.kvorum.storage.engine;

/**
 * Errors of flushes and compactions, for which no request waits: RocksDB counts them and, after
 * damage, takes no more writes.
 */
final class BackgroundErrors {
  private final Engine engine;
  private final FailureLog failures;
  private long seen;

  BackgroundErrors(Engine engine, FailureLog failures) {
    this.engine = engine;
    this.failures = failures;
  }

  /** Looks for errors that are new since the last look. Blocks; for one thread. */
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

  /** The count does not include the cause; an empty write fails with it. */
  private void writeNothing() throws EngineException {
    try (EngineBatch nothing = engine.batch()) {
      nothing.write(false);
    }
  }
}
