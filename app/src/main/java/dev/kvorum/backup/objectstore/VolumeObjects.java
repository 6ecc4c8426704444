package dev.kvorum.backup.objectstore;

import dev.kvorum.files.DurableFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Objects as files below a directory. A file is written beside the objects, synced, and renamed, so
 * that what has an object's name is complete after a crash. Symbolic links below the directory are
 * not followed, as they could lead out of it.
 *
 * <p>Unlike on S3, a name cannot at once be that of an object and the beginning of others' before a
 * slash.
 */
final class VolumeObjects implements ObjectStore {
  /** No object's name, for the tilde. */
  static final String UNFINISHED = "~unfinished";

  /** Longer than a node can be writing to a file without changing it. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private static final int BUFFER = 1 << 16;
  private static final int RENAMES_MAX = 10;

  private final Path root;
  private final VolumeFailures failures;
  private final VolumeListing listing;

  private VolumeObjects(Path root, int page) {
    this.root = root;
    this.failures = new VolumeFailures(root);
    this.listing = new VolumeListing(root, page);
  }

  static VolumeObjects open(Path directory, Clock clock) throws IOException {
    return open(directory, clock, VolumeListing.PAGE);
  }

  static VolumeObjects open(Path directory, Clock clock, int page) throws IOException {
    try {
      createDirectories(directory);
      // The operator's own links are followed: the directory is often one.
      VolumeObjects objects = new VolumeObjects(directory.toRealPath(), page);
      objects.removeAbandoned(clock.instant());
      return objects;
    } catch (IOException e) {
      throw new VolumeFailures(directory).of("open the directory", e);
    }
  }

  private static void createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Path parent = directory.getParent();
      if (parent != null) {
        createDirectories(parent);
      }
      createDirectory(directory);
      DurableFile.syncDirectoryOf(directory);
    }
  }

  private static void createDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** What a process left that was killed while it wrote. */
  private void removeAbandoned(Instant now) throws IOException {
    Path unfinished = root.resolve(UNFINISHED);
    if (!Files.isDirectory(unfinished, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(unfinished)) {
      for (Path file : files) {
        try {
          Instant modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
          if (modified.isBefore(now.minus(ABANDONED))) {
            Files.deleteIfExists(file);
          }
        } catch (NoSuchFileException e) {
          // Another node was faster.
        }
      }
    }
  }

  @Override
  public void put(String name, long length, Content content) throws IOException {
    Path file = file(name);
    try (InputStream in = ExactContent.open(name, length, content)) {
      Path draft = draft(name);
      try {
        write(in, draft, name);
        publish(draft, file, name);
      } finally {
        deleteQuietly(draft);
      }
    }
  }

  private Path draft(String name) throws IOException {
    try {
      Path unfinished = root.resolve(UNFINISHED);
      createDirectory(unfinished);
      failures.checkNoLinks(unfinished);
      return unfinished.resolve(UUID.randomUUID().toString());
    } catch (IOException e) {
      throw failures.of("store " + name, e);
    }
  }

  /** The reads' failures are the content's, the writes' are the volume's. */
  private void write(InputStream in, Path draft, String name) throws IOException {
    try (FileChannel channel = createNew(draft, name)) {
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        try {
          ByteBuffer rest = ByteBuffer.wrap(buffer, 0, read);
          while (rest.hasRemaining()) {
            channel.write(rest);
          }
        } catch (IOException e) {
          throw failures.of("store " + name, e);
        }
      }
      try {
        channel.force(true);
      } catch (IOException e) {
        throw failures.of("store " + name, e);
      }
    }
  }

  private FileChannel createNew(Path draft, String name) throws IOException {
    try {
      return FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failures.of("store " + name, e);
    }
  }

  private void publish(Path draft, Path file, String name) throws IOException {
    try {
      for (int attempt = 1; !rename(draft, file, attempt); attempt++) {
        // A removal of the last object beside it took the directory along.
      }
      // Also of directories that were there: who made them may not have come to it.
      for (Path entry : failures.pathTo(file).reversed()) {
        DurableFile.syncDirectoryOf(entry);
      }
      DurableFile.syncDirectoryOf(draft);
    } catch (IOException e) {
      throw failures.of("store " + name, e);
    }
  }

  private boolean rename(Path draft, Path file, int attempt) throws IOException {
    try {
      for (Path directory : failures.directoriesTo(file)) {
        createDirectory(directory);
        failures.checkNoLinks(directory);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      if (attempt < RENAMES_MAX && Files.exists(draft)) {
        return false;
      }
      throw e;
    }
  }

  private static void deleteQuietly(Path draft) {
    try {
      Files.deleteIfExists(draft);
    } catch (IOException e) {
      // The failure before is the one to report; a later start removes the file.
    }
  }

  @Override
  public InputStream get(String name) throws IOException {
    Path file = file(name);
    try {
      failures.checkNoLinks(file);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(name);
      }
      return failures.mapping(
          "read " + name,
          Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException | FileNotFoundException e) {
      failures.checkRoot(e);
      throw new NoSuchObjectException(name);
    } catch (IOException e) {
      if (failures.isBelowAnObject(file)) {
        throw new NoSuchObjectException(name);
      }
      throw failures.of("read " + name, e);
    }
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> each) throws IOException {
    ObjectNames.checkedPrefix(prefix);
    try {
      listing.list(prefix, each);
    } catch (NoSuchFileException e) {
      failures.checkRoot(e);
    } catch (IOException e) {
      throw failures.of("list '" + prefix + "'", e);
    }
  }

  @Override
  public boolean delete(String name) throws IOException {
    Path file = file(name);
    try {
      failures.checkNoLinks(file);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      Files.delete(file);
      DurableFile.syncDirectoryOf(file);
      removeEmptyParents(file);
      return true;
    } catch (NoSuchFileException e) {
      failures.checkRoot(e);
      return false;
    } catch (IOException e) {
      if (failures.isBelowAnObject(file)) {
        return false;
      }
      throw failures.of("delete " + name, e);
    }
  }

  /** As on S3, a directory is there for its objects alone. */
  private void removeEmptyParents(Path file) throws IOException {
    try {
      for (Path directory : failures.directoriesTo(file).reversed()) {
        Files.delete(directory);
      }
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // Others are stored there, or were removed at the same time.
    }
  }

  private Path file(String name) {
    return root.resolve(ObjectNames.checked(name));
  }

  @Override
  public void close() {}
}
