package dev.kvorum.boot;

import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.RangeStreamLimiter;
import java.time.Duration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Drains the last requests between the HTTP server's graceful shutdown and the end of the node.
 *
 * <p>That shutdown waits for connections that are open when it begins. A connection accepted at
 * that moment stays open, and its requests would reach a node with a closed store.
 */
public final class GracefulDrain implements SmartLifecycle {
  private static final long POLL_MILLIS = 5;

  private final AdmissionControl admission;
  private final RangeStreamLimiter places;
  private final Duration timeout;
  private volatile boolean running;

  public GracefulDrain(AdmissionControl admission, RangeStreamLimiter places, Duration timeout) {
    this.admission = admission;
    this.places = places;
    this.timeout = timeout;
  }

  @Override
  public void start() {
    running = true;
  }

  /**
   * Rejects new requests and waits for those in flight, except ranges. A range takes as long as its
   * client likes, and a client detects a truncated one.
   */
  @Override
  public void stop() {
    running = false;
    admission.close();
    places.close();
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      while (admission.inFlight() > 0 && System.nanoTime() - deadline < 0) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Higher phases stop first. */
  @Override
  public int getPhase() {
    return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE - 1;
  }
}
