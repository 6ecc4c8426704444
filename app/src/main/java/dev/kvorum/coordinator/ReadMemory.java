package dev.kvorum.coordinator;

/** Memory for the values of a read, granted by admission control. */
@FunctionalInterface
public interface ReadMemory {
  /** Takes room for a value that has just come; false when there is none and it must be dropped. */
  boolean take(long bytes);
}
