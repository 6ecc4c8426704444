package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Version;

/** When {@link AntiEntropy} compares this member with one other member next. */
final class PeerSchedule {
  boolean suspect = true;

  /** It came back, and the time of that is not noted yet: no majority of clocks was known. */
  boolean isBack;

  /**
   * A return that no session has covered yet, Unix milliseconds; 0 when there is none. The member
   * may have come back again since: one that comes and goes must not put its session off for ever.
   */
  long wantedMillis;

  long failedNanos;

  /** How long to wait since the last failure; 0 when there was none. */
  long pauseMillis;

  /** Whether the other member may go first, and since when. */
  boolean isWaiting;

  long waitingSinceNanos;

  /** Since when it has been back; a cut has to be as new as that. */
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

  /** Times that clocks gave which were ahead. */
  void forgetFuture(long nowMillis) {
    backMillis = Math.min(backMillis, nowMillis);
    wantedMillis = Math.min(wantedMillis, nowMillis);
  }
}
