package dev.kvorum.rpc;

/**
 * One node's view of one peer: suspects are asked last. It never decides who is a member.
 *
 * <p>A peer is suspect while there is no connection to it, or when something was asked of it (a
 * heartbeat at least) and nothing at all has come back for {@code suspectAfterNanos}. Time is
 * given, in nanoseconds of any monotone clock.
 */
final class FailureDetector {
  private final long suspectAfterNanos;
  private boolean connected;
  private boolean owed;
  private long owedSinceNanos;

  FailureDetector(long suspectAfterNanos) {
    this.suspectAfterNanos = suspectAfterNanos;
  }

  void connected() {
    connected = true;
    owed = false;
  }

  void disconnected() {
    connected = false;
  }

  /** A request was sent that requires a reply. */
  void asked(long nowNanos) {
    if (!owed) {
      owed = true;
      owedSinceNanos = nowNanos;
    }
  }

  /** Something was received. */
  void received() {
    owed = false;
  }

  /** How long the peer has owed an answer, 0 when it owes none. */
  long silentNanos(long nowNanos) {
    return owed ? nowNanos - owedSinceNanos : 0;
  }

  boolean isSuspect(long nowNanos) {
    return !connected || silentNanos(nowNanos) > suspectAfterNanos;
  }
}
