package dev.kvorum.membership;

import dev.kvorum.files.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
      if (!Files.exists(file)) {
        DurableFile.replace(file, replication + "\n");
        return;
      }
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
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }
}
