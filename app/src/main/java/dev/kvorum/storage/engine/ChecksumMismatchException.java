package dev.kvorum.storage.engine;

import dev.kvorum.data.Version;

/** A stored record that does not match its checksum. The records around it are sound. */
final class ChecksumMismatchException extends CorruptRecordException {
  private static final long serialVersionUID = 1L;

  private final transient Version version;

  ChecksumMismatchException(Version version) {
    super("the record " + version + " does not match its checksum");
    this.version = version;
  }

  /** The version that the record claims to have. */
  Version version() {
    return version;
  }
}
