package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Version;

/** When {@link AntiEntropy} runs the next session with one peer. */
final class PeerSchedule {
  boolean suspect = true;

  /** The peer has returned, at a time that is not known yet: there was no majority of clocks. */
  boolean isBack;

  /**
   * Unix milliseconds of a return that no session has covered yet; 0 if there is none. Later
   * returns do not change it: a peer that comes and goes must not postpone its session forever.
   */
  long wantedMillis;

  long failedNanos;

  /** Pause after the last failure; 0 if there was none. */
  long pauseMillis;

  /** Whether this member waits for the peer's session, and since when. */
  boolean isWaiting;

  long waitingSinceNanos;

  /** Time of the last return; a session's cut has to be as new. */
  private long backMillis;

  void noteReturn(long nowMillis) {
    if (isBack) {
      isBack = false;
      backMillis = nowMillis;
      wantedMillis = wantedMillis == 0 ? nowMillis : wantedMillis;
    }
  }

  void noteCompleted(long cut) {
    pauseMillis = 0;
    isWaiting = false;
    if (cut >= Version.stampOf(wantedMillis)) {
      wantedMillis = cut >= Version.stampOf(backMillis) ? 0 : backMillis;
    }
  }

  /** Corrects times from clocks that were ahead. */
  void dropFuture(long nowMillis) {
    backMillis = Math.min(backMillis, nowMillis);
    wantedMillis = Math.min(wantedMillis, nowMillis);
  }
}
