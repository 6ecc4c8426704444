package dev.kvorum.node;

import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine's clock, or one with a fixed skew for tests. */
public final class WallClock {
  private static final Logger log = LoggerFactory.getLogger(WallClock.class);

  private WallClock() {}

  public static InstantSource skewedBy(Duration skew) {
    if (skew.isZero()) {
      return InstantSource.system();
    }
    log.warn("The clock is skewed by {}: kvorum.clock.skew is for tests only", skew);
    return InstantSource.offset(InstantSource.system(), skew);
  }
}
