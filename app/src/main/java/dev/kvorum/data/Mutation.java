package dev.kvorum.data;

/** A versioned put or delete on its way to its replicas. */
public record Mutation(Key key, Versioned record) {
  /** Computes the record's checksum, unless it has one. */
  public Mutation {
    record = record.sealed(key);
  }

  /** Returns whether the record matches its checksum. */
  public boolean isIntact() {
    return record.isIntact(key);
  }

  /** The same write with a newer version, for a coordinator that repeats it. */
  public Mutation restamped(Version newer) {
    return new Mutation(key, record.restamped(key, newer));
  }

  /** Approximate memory of this mutation in bytes: key, value and their objects. */
  public int heapBytes() {
    return 160 + key.bytes().length + record.value().length;
  }
}
