package dev.kvorum.storage.engine;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** The fields of a stored record that a writer needs. */
record RecordHead(Version version, boolean tombstone, int from) {
  /** There is no record. */
  static final RecordHead NONE = new RecordHead(Version.NONE, false, 0);

  static RecordHead of(Versioned record) {
    return new RecordHead(record.version(), record.tombstone(), record.from());
  }

  boolean isThere() {
    return from > 0;
  }
}
