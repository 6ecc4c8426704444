package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a store, to be corrupted. */
public final class StoreFiles {
  private StoreFiles() {}

  /** Files of a directory whose names begin and end like this, by name. */
  public static List<Path> like(Path directory, String prefix, String suffix) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .filter(file -> file.getFileName().toString().endsWith(suffix))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tables, oldest first. */
  public static List<Path> tables(Path directory) {
    return like(directory, "", ".sst");
  }

  /** Turns some bits of a byte over; doing it twice undoes it. */
  public static void flip(Path file, long at) {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      int was = bytes.read();
      bytes.seek(at);
      bytes.write(was ^ 0x5a);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a directory of files into a new one, as they are at this moment. */
  public static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to);
      for (Path file : like(from, "", "")) {
        try {
          Files.copy(file, to.resolve(file.getFileName()));
        } catch (NoSuchFileException _) {
          // RocksDB has deleted it meanwhile, since nothing needs it any more.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory of files and directories. */
  public static void delete(Path directory) {
    try {
      for (Path file : like(directory, "", "")) {
        if (Files.isDirectory(file)) {
          delete(file);
        } else {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes of all files in a directory; one that is deleted meanwhile does not count. */
  public static long bytesIn(Path directory) {
    return like(directory, "", "").stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
