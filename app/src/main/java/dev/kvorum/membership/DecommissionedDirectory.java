package dev.kvorum.membership;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The data directory of a member that has left, which the file {@code decommissioned} marks. The
 * member must not serve the old data if it joins again.
 */
public final class DecommissionedDirectory {
  private static final String NAME = "decommissioned";

  private final Path directory;

  public DecommissionedDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * The epoch in which this member has left, if it has.
   *
   * @throws UncheckedIOException if the marker cannot be read
   */
  public OptionalLong epoch() {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(directory.resolve(NAME)).strip()));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (NumberFormatException e) {
      // Truncated by a crash during the write: its existence is sufficient.
      return OptionalLong.of(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Creates the marker, durably.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void mark(long epoch) {
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileChannel parent = FileChannel.open(directory)) {
      channel.write(StandardCharsets.UTF_8.encode(epoch + "\n"));
      channel.force(true);
      parent.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("the decommission marker cannot be written: " + e, e);
    }
  }

  /**
   * Deletes the marker, durably, if it exists.
   *
   * @throws UncheckedIOException if it cannot be deleted
   */
  public void recall() {
    try {
      if (Files.deleteIfExists(directory.resolve(NAME))) {
        try (FileChannel parent = FileChannel.open(directory)) {
          parent.force(true);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the decommission marker cannot be deleted: " + e, e);
    }
  }

  /**
   * Empties the directory and deletes the marker last, so that an interrupted wipe continues at the
   * next start.
   *
   * @throws UncheckedIOException if a file cannot be deleted
   */
  public void wipe() {
    Path mark = directory.resolve(NAME);
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        // A lock on a deleted file would exclude no other process.
        boolean keep =
            file.equals(directory)
                || file.equals(mark)
                || file.equals(directory.resolve(DataDirectory.LOCK));
        if (!keep && !file.startsWith(directory.resolve("lost+found"))) {
          Files.delete(file);
        }
      }
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      throw new UncheckedIOException("the data of a former member cannot be deleted: " + e, e);
    }
  }
}
