package dev.kvorum.storage.engine;

/**
 * Detects errors of flushes and compactions, for which no request waits, and whether an I/O error
 * has stopped the database.
 *
 * <p>After an I/O error of a sync, a flush or a compaction, RocksDB rejects all writes until it is
 * opened again; after a lack of space, it resumes by itself. An empty write shows which, and the
 * cause.
 */
final class BackgroundErrors {
  private final Engine engine;
  private final FailureLog failures;
  private long seen;
  private volatile boolean isStopped;

  BackgroundErrors(Engine engine, FailureLog failures) {
    this.engine = engine;
    this.failures = failures;
  }

  /** Returns whether all writes fail by an I/O error, as of the last check. Safe for any thread. */
  boolean isStopped() {
    return isStopped;
  }

  /** Checks for errors since the last check. Blocks; confined to one thread. */
  void look() {
    boolean isNew = false;
    try {
      long count = engine.backgroundErrors();
      isNew = count != seen;
      seen = count;
      if (failures.takeIoError() || isNew || isStopped) {
        writeNothing();
        isStopped = false;
      }
    } catch (EngineException e) {
      isStopped = e.kind() == EngineException.Kind.IO_ERROR;
      if (isNew) {
        failures.note("a flush or compaction failed", e);
      }
    }
  }

  private void writeNothing() throws EngineException {
    try (EngineBatch nothing = engine.batch()) {
      nothing.writeUnsynced();
    }
  }
}
