package dev.kvorum.data;

/** A versioned put or delete under way to its replicas. */
public record Mutation(Key key, Versioned record) {
  /** Bytes that this mutation keeps in memory, roughly: key, value and their objects. */
  public int heapBytes() {
    return 160 + key.bytes().length + record.value().length;
  }
}
