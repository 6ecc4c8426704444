package dev.kvorum.data;

/** A versioned put or delete under way to its replicas. */
public record Mutation(Key key, Versioned record) {
  /** Gives the record its checksum, unless it came with one. */
  public Mutation {
    record = record.sealed(key);
  }

  /** Whether it is what the checksum that it carries was made of. */
  public boolean isIntact() {
    return record.isIntact(key);
  }

  /** The same write under a newer version, for a coordinator that must try again. */
  public Mutation restamped(Version newer) {
    return new Mutation(key, record.restamped(key, newer));
  }

  /** Bytes that this mutation keeps in memory, roughly: key, value and their objects. */
  public int heapBytes() {
    return 160 + key.bytes().length + record.value().length;
  }
}
