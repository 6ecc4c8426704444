package dev.kvorum.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Works on whole directories. */
public final class Directories {
  private Directories() {}

  /** Deletes a directory with all its contents, or a file; nothing if there is neither. Blocks. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (NoSuchFileException e) {
      // There is nothing.
    }
  }
}
