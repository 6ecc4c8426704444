package dev.kvorum.backup;

import dev.kvorum.files.Directories;
import dev.kvorum.files.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a node's checkpoints, {@code backup} in its data directory. A checkpoint does
 * not outlive its process: one that is repeated has at least the same writes.
 */
final class CheckpointFiles {
  private final Path directory;

  CheckpointFiles(Path directory) {
    this.directory = directory;
  }

  /** The file of {@link KnownFiles}. */
  Path known() {
    return directory.resolve("known-files");
  }

  /** A directory that does not exist yet, in one that does. */
  Path prepare(String id) throws IOException {
    Files.createDirectories(directory);
    clear();
    return directory.resolve(id);
  }

  /** Deletes all checkpoints. */
  void clear() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path checkpoint : all.filter(Files::isDirectory).toList()) {
        Directories.delete(checkpoint);
        DurableFile.syncDirectoryOf(checkpoint);
      }
    } catch (NoSuchFileException e) {
      // There was no backup yet.
    }
  }

  /** The files of all checkpoints. */
  List<Path> all() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  /** The files of a checkpoint, by name. */
  static List<Path> list(Path checkpoint) throws IOException {
    try (Stream<Path> all = Files.list(checkpoint)) {
      return all.sorted().toList();
    }
  }

  /** Bytes of tables and blob files that the store has deleted and the checkpoint still has. */
  static long pinnedBytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      String name = file.toString();
      if ((name.endsWith(".sst") || name.endsWith(".blob")) && links(file) == 1) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static int links(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:nlink") instanceof Integer links ? links : 0;
    } catch (UnsupportedOperationException e) {
      // Not a file system of Unix: the free space alone bounds the backup.
      return 0;
    }
  }
}
