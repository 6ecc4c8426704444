package dev.kvorum.storage.engine;

import dev.kvorum.data.Version;

/** A stored record does not match its checksum. Other records are not affected. */
final class ChecksumMismatchException extends CorruptRecordException {
  private static final long serialVersionUID = 1L;

  private final transient Version version;

  ChecksumMismatchException(Version version) {
    super("the record " + version + " does not match its checksum");
    this.version = version;
  }

  /** The version in the record, which may be wrong. */
  Version version() {
    return version;
  }
}
