package dev.kvorum.data;

/**
 * What the clocks of a cluster's other members allow this member's wall clock to be. Safe for use
 * by many threads; called for every write.
 */
public interface ClockBounds {
  /** Nothing is known of other clocks. */
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

  /** The latest time that the wall clock may show now and be right, Unix milliseconds. */
  long ceilingMillis();

  /**
   * A reading of the wall clock, made now, or the other clocks' time where they prove it wrong.
   *
   * @param wallMillis Unix milliseconds
   */
  long corrected(long wallMillis);
}
