package dev.kvorum.coordinator;

/** Memory for the values of a read, granted by admission control. */
@FunctionalInterface
public interface ReadMemory {
  /**
   * Reserves memory for a value that has just arrived. Returns false when there is none and the
   * value must be dropped.
   */
  boolean take(long bytes);
}
