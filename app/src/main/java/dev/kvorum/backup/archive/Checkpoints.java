package dev.kvorum.backup.archive;

import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.manifest.VerifiedStream;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.files.Directories;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory of checkpoints that are read from an object store, each file of them verified. */
public final class Checkpoints {
  private final Path directory;

  public Checkpoints(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads a member's checkpoint instead of what is left of an earlier attempt; returns its
   * directory. Blocks.
   */
  public Path fetch(ObjectStore store, MemberManifest part) throws IOException {
    Files.createDirectories(directory);
    Path checkpoint = directory.resolve("checkpoint-" + part.member());
    Directories.delete(checkpoint);
    Files.createDirectory(checkpoint);
    for (BackupFile file : part.files()) {
      Path path = checkpoint.resolve(file.name()).normalize();
      if (!checkpoint.equals(path.getParent())) {
        throw new IOException("'" + file.name() + "' is no name of a file");
      }
      String object = BackupNames.object(part.cluster(), file);
      try (InputStream in = new VerifiedStream(store.get(object), file)) {
        Files.copy(in, path);
      }
    }
    return checkpoint;
  }

  /** Deletes all checkpoints. Blocks. */
  public void clear() throws IOException {
    Directories.delete(directory);
  }
}
