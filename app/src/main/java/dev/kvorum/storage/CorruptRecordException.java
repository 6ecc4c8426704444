package dev.kvorum.storage;

/** Stored bytes that are no record of a layout that this node knows: never an absence. */
class CorruptRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  CorruptRecordException(String message) {
    super(message);
  }
}
