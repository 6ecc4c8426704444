package dev.kvorum.storage;

/** Whether flushes and compactions bypass the page cache. */
public enum DirectIo {
  /** With blob files, where the file system supports it. */
  AUTO,
  ON,
  OFF
}
