package dev.kvorum.membership;

import dev.kvorum.files.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The file {@code restore-order} in the data directory: id of the backup that the cluster is
 * restored from, until it is. A node that starts while the API server is unavailable reads it.
 */
public final class RestoreOrderFile {
  private static final String NAME = "restore-order";

  private final Path file;
  private final Predicate<String> isId;

  /**
   * The file of a directory.
   *
   * @param isId returns whether a text has the form of a backup's id
   */
  RestoreOrderFile(Path directory, Predicate<String> isId) {
    this.file = directory.resolve(NAME);
    this.isId = isId;
  }

  /**
   * Returns what a source has reported.
   *
   * @throws IllegalArgumentException if it is no id of a backup
   */
  Optional<String> checked(Optional<String> reported) {
    reported
        .filter(isId.negate())
        .ifPresent(text -> {
          throw new IllegalArgumentException(
              "the annotation kvorum.dev/restore of the KvorumTopology is '"
                  + text
                  + "', which is no id of a backup");
        });
    return reported;
  }

  /**
   * Reads the id, if there is one; may block.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  Optional<String> read() {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read: " + e, e);
    }
  }

  /**
   * Replaces or deletes the id, durably; may block.
   *
   * @throws IllegalArgumentException if it is no id
   * @throws UncheckedIOException if it cannot be written
   */
  void keep(Optional<String> id) {
    if (checked(id).equals(read())) {
      return;
    }
    try {
      if (id.isPresent()) {
        DurableFile.replace(file, id.get() + "\n");
      } else {
        Files.deleteIfExists(file);
        DurableFile.syncDirectoryOf(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written: " + e, e);
    }
  }
}
