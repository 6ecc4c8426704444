package dev.kvorum.storage.engine;

/** Stored bytes are no record of a known layout. This is never an absence. */
public class CorruptRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  CorruptRecordException(String message) {
    super(message);
  }
}
