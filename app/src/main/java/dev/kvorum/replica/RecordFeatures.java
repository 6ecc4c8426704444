package dev.kvorum.replica;

import dev.kvorum.data.Versioned;
import dev.kvorum.topology.Feature;
import org.jspecify.annotations.Nullable;

/** Which records only some releases can read. */
public final class RecordFeatures {
  private RecordFeatures() {}

  /** The feature that a release must have to read a record; null if every release reads it. */
  public static @Nullable Feature neededBy(Versioned record) {
    return switch (record.kind()) {
      case VALUE, TOMBSTONE -> null;
      case TYPED_VALUE -> Feature.CONTENT_TYPE;
    };
  }
}
