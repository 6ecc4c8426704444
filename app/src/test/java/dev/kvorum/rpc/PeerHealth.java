package dev.kvorum.rpc;

import java.time.Duration;

/** What a node measures of a peer, with the production detector and quantile. */
public final class PeerHealth {
  private final FailureDetector detector;
  private final LatencyQuantile slowRead;

  public PeerHealth(Duration suspectAfter, Duration hedgeMin, Duration hedgeMax) {
    detector = new FailureDetector(suspectAfter.toNanos());
    slowRead = new LatencyQuantile(0.95, hedgeMin.toNanos(), hedgeMax.toNanos());
  }

  /** A connection was made. */
  public void connected() {
    detector.connected();
  }

  /** The connection was lost. */
  public void disconnected() {
    detector.disconnected();
  }

  /** A request was sent that requires a reply. */
  public void asked(long nowNanos) {
    detector.asked(nowNanos);
  }

  /** Something came back. */
  public void received() {
    detector.received();
  }

  /** A read was answered after so long. */
  public void readTook(long nanos) {
    slowRead.add(nanos);
  }

  /** How long an answer has been owed. */
  public long silentNanos(long nowNanos) {
    return detector.silentNanos(nowNanos);
  }

  /** Whether it is better asked last. */
  public boolean isSuspect(long nowNanos) {
    return detector.isSuspect(nowNanos);
  }

  /** How long to wait for a read before another replica is asked too. */
  public long slowReadNanos() {
    return slowRead.nanos();
  }
}
