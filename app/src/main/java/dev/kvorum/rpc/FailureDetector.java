package dev.kvorum.rpc;

/**
 * Detects failures of one peer from one node's view. Suspect peers are asked last; the detector
 * never decides who is a member.
 *
 * <p>A peer is suspect while it has no connection. It is also suspect when a request, at least a
 * heartbeat, is pending and nothing has been received for {@code suspectAfterNanos}. After three
 * times that it counts as not connected: a machine that dies closes no connection. Callers pass the
 * time in nanoseconds of any monotonic clock.
 */
final class FailureDetector {
  private static final int GONE = 3;

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

  /** Something was received from the peer. */
  void received() {
    owed = false;
  }

  /** How long the peer has owed a reply, in nanoseconds; 0 if it owes none. */
  long silentNanos(long nowNanos) {
    return owed ? nowNanos - owedSinceNanos : 0;
  }

  /** Whether it is connected and owes no reply, and so is not suspect whatever the time is. */
  boolean isTrusted() {
    return connected && !owed;
  }

  boolean isSuspect(long nowNanos) {
    return !connected || silentNanos(nowNanos) > suspectAfterNanos;
  }

  /** Whether there is a connection on which the peer responds. */
  boolean isConnected(long nowNanos) {
    return connected && silentNanos(nowNanos) <= GONE * suspectAfterNanos;
  }
}
