package dev.kvorum.repair.antientropy;

/** How the repair of one record, or of all records of a session, ended. */
sealed interface RepairResult {
  RepairResult EQUAL = new Equal();

  /** The own copies are as new as the peer's. */
  record Equal() implements RepairResult {}

  /**
   * At least one own copy may be older than the peer's; a later session fetches it.
   *
   * @param reason for the log
   */
  record Failed(String reason) implements RepairResult {}
}
