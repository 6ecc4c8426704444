package dev.kvorum.storage.engine;

/** Stored bytes that are no record of a known layout: never an absence. */
public class CorruptRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  CorruptRecordException(String message) {
    super(message);
  }
}
