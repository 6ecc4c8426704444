package dev.kvorum.data;

/**
 * Limits of this member's wall clock, from the clocks of its peers. Safe for use by many threads;
 * called for every write.
 */
public interface ClockBounds {
  /** No other clock is known. */
  ClockBounds NONE =
      new ClockBounds() {
        @Override
        public long ceilingMillis() {
          return Long.MAX_VALUE;
        }

        @Override
        public long corrected(long wallMillis) {
          return wallMillis;
        }
      };

  /** The latest time that a correct wall clock may show now, in Unix milliseconds. */
  long ceilingMillis();

  /**
   * A reading of the wall clock, or the peers' time if they prove the reading wrong.
   *
   * @param wallMillis a reading made now, in Unix milliseconds
   */
  long corrected(long wallMillis);
}
