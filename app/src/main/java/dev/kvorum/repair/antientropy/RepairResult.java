package dev.kvorum.repair.antientropy;

/** How the synchronization of one record, or of all records of a session, ended. */
sealed interface SyncResult {
  SyncResult SYNCED = new Synced();

  /** The own copies are as new as the peer's. */
  record Synced() implements SyncResult {}

  /**
   * At least one own copy may be older than the peer's; a later session fetches it.
   *
   * @param reason for the log
   */
  record Failed(String reason) implements SyncResult {}
}
