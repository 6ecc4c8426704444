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
 * The mark in the data directory of a member that has left: what is there belongs to the past, and
 * must not come back with it should it join again.
 */
public final class DecommissionMarker {
  private static final String NAME = "decommissioned";

  private final Path directory;

  public DecommissionMarker(Path directory) {
    this.directory = directory;
  }

  /**
   * The epoch in which this member had left, if it had.
   *
   * @throws UncheckedIOException when the mark cannot be read
   */
  public OptionalLong epoch() {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(directory.resolve(NAME)).strip()));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (NumberFormatException e) {
      // Truncated while it was written: its existence is enough.
      return OptionalLong.of(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Marks the directory, durably.
   *
   * @throws UncheckedIOException when it cannot be written
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
   * Takes the mark away, durably, if there is one.
   *
   * @throws UncheckedIOException when it cannot be deleted
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
   * Empties the directory, the mark last: interrupted, it continues at the next start.
   *
   * @throws UncheckedIOException when something cannot be deleted
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
