package dev.kvorum.membership;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file {@code replication} in the data directory: the default number of copies with which its
 * records were written. A majority of another number need not meet the majorities that acknowledged
 * them.
 */
public final class ReplicationFile {
  private static final String NAME = "replication";

  private ReplicationFile() {}

  /**
   * Records the number in a directory that has none yet, durably; may block.
   *
   * @throws ForeignDirectoryException if the directory has another number
   * @throws java.io.UncheckedIOException if the directory cannot be read or written
   */
  public static void claim(Path directory, int replication) {
    Path file = directory.resolve(NAME);
    try {
      String found = Files.readString(file).strip();
      if (!found.equals(Integer.toString(replication))) {
        throw new ForeignDirectoryException(
            directory
                + " has data with kvorum.cluster.replication="
                + found
                + ", this node is set to "
                + replication
                + "; it cannot be changed once there is data, use `from` in requests instead");
      }
    } catch (NoSuchFileException e) {
      write(directory, file, replication);
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }

  private static void write(Path directory, Path file, int replication) {
    Path draft = directory.resolve(NAME + ".new");
    try (FileChannel parent = FileChannel.open(directory)) {
      try (FileChannel channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        channel.write(StandardCharsets.UTF_8.encode(replication + "\n"));
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      parent.force(true);
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }
}
