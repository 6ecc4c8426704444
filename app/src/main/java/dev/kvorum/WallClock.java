package dev.kvorum;

import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine's clock, or one that lies by a fixed amount, for tests of clocks that do. */
final class WallClock {
  private static final Logger log = LoggerFactory.getLogger(WallClock.class);

  private WallClock() {}

  static InstantSource skewedBy(Duration skew) {
    if (skew.isZero()) {
      return InstantSource.system();
    }
    log.warn("The clock is set {} beside the machine's: kvorum.clock.skew is for tests only", skew);
    return InstantSource.offset(InstantSource.system(), skew);
  }
}
