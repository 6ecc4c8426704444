package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.engine.StoredMarks;
import java.nio.charset.StandardCharsets;

/** One change of what is on a disk. */
public sealed interface Effect {
  /** A record takes its key's place. */
  record Put(Key key, Versioned record) implements Effect {}

  /** A record is gone. */
  record Remove(Key key) implements Effect {}

  /** A hint is kept; both as they are stored. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record KeepHint(byte[] key, byte[] value) implements Effect {}

  /** A hint is forgotten. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record DropHint(byte[] key) implements Effect {}

  /** A number that the store keeps about itself, by its key on disk. */
  record Meta(String key, long number) implements Effect {
    /** A mark of the node. */
    static Meta mark(String name, long number) {
      return new Meta(new String(StoredMarks.key(name), StandardCharsets.UTF_8), number);
    }
  }
}
