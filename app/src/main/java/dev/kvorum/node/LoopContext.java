package dev.kvorum.node;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The components of one event loop: its connections to peers, its replicas, its coordinator. */
public record LoopContext(
    ScheduledExecutorService loop,
    Transport transport,
    Replicas replicas,
    Coordinator coordinator) {
  private static final Logger log = LoggerFactory.getLogger(LoopContext.class);

  // Largest delay of a timeout or a heartbeat, in milliseconds.
  private static final long TICK_MILLIS = 10;

  // Failures that repeat at every tick are logged once a second.
  private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final AtomicLong LOG_NEXT_NANOS = new AtomicLong(System.nanoTime());

  void start() {
    loop.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    runGuarded(this::tickCoordinator);
    runGuarded(transport::tick);
    runGuarded(replicas::sweep);
  }

  private void tickCoordinator() {
    long pausedNanos = coordinator.tick();
    if (pausedNanos > 0) {
      log.warn(
          "An event loop paused for {} ms; writes that arrived meanwhile are rejected",
          TimeUnit.NANOSECONDS.toMillis(pausedNanos));
    }
  }

  /**
   * Catches everything: a task that throws is not run again, which would end timeouts and
   * heartbeats. Netty reports exhausted direct memory by an error.
   */
  private static void runGuarded(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      long due = LOG_NEXT_NANOS.get();
      long now = System.nanoTime();
      if (now - due >= 0 && LOG_NEXT_NANOS.compareAndSet(due, now + LOG_PAUSE_NANOS)) {
        log.error("A tick of an event loop failed", e);
      }
    }
  }
}
