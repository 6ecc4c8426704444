package dev.kvorum.membership;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The empty file {@code founded} in the data directory. It exists if this member was once complete,
 * even if it has lost its store since.
 */
public final class FoundedMarker {
  private static final String NAME = "founded";

  private final Path file;
  private volatile boolean there;

  FoundedMarker(Path directory) {
    this.file = directory.resolve(NAME);
    this.there = Files.exists(file);
  }

  boolean isThere() {
    return there;
  }

  /**
   * Creates the file, durably; may block.
   *
   * @throws UncheckedIOException if it cannot be created
   */
  void write() {
    if (there) {
      return;
    }
    try (FileChannel made =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      made.force(true);
      directory.force(true);
      there = true;
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written: " + e, e);
    }
  }
}
