package dev.kvorum;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What belongs to one event loop: its connections to the peers, its replicas, its coordinator. */
public record Lane(
    ScheduledExecutorService loop,
    Transport transport,
    Replicas replicas,
    Coordinator coordinator) {
  private static final Logger log = LoggerFactory.getLogger(Lane.class);

  // How late a timeout or a heartbeat may be.
  private static final long TICK_MILLIS = 10;

  // What fails at every tick is not told of at every tick.
  private static final long TELL_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final AtomicLong TELL_NEXT_NANOS = new AtomicLong(System.nanoTime());

  void start() {
    loop.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    long stoodNanos = coordinator.tick();
    if (stoodNanos > 0) {
      log.warn(
          "An event loop stood still for {} ms; writes that came meanwhile are refused",
          TimeUnit.NANOSECONDS.toMillis(stoodNanos));
    }
    apart(transport::tick);
    apart(replicas::sweep);
  }

  /**
   * A task that throws is not run again, and with it timeouts and heartbeats would end. Netty tells
   * of a want of memory outside of the heap by an error.
   */
  private static void apart(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      long due = TELL_NEXT_NANOS.get();
      long now = System.nanoTime();
      if (now - due >= 0 && TELL_NEXT_NANOS.compareAndSet(due, now + TELL_PAUSE_NANOS)) {
        log.error("A tick of an event loop failed", e);
      }
    }
  }
}
