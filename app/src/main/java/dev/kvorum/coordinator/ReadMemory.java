package dev.kvorum.coordinator;

/** Room for the values that a read brings into memory, granted by whoever admitted it. */
@FunctionalInterface
public interface ReadMemory {
  /** Takes room for a value that has just come; false when there is none and it must be dropped. */
  boolean take(long bytes);
}
