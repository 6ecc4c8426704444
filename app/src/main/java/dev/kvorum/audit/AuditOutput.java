package dev.kvorum.audit;

import java.io.IOException;

/** Where the lines of the audit log go. */
@FunctionalInterface
interface AuditOutput {
  /** Writes whole lines. */
  void write(byte[] lines) throws IOException;

  /** Closes what was opened for this. */
  default void close() throws IOException {}

  /** Standard output. A line is not torn: the stream has a lock, and loggers write through it. */
  static AuditOutput standard() {
    return lines -> {
      System.out.write(lines);
      System.out.flush();
    };
  }
}
