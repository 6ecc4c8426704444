package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;

/**
 * A data directory that this process has for itself: its file {@code lock} is locked until this is
 * closed, and its file {@code generation} has the number of its last start.
 */
public final class DataDirectory implements AutoCloseable {
  static final String LOCK = "lock";
  private static final String GENERATION = "generation";

  private final Path directory;
  private final FileChannel lockFile;

  private DataDirectory(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /**
   * Locks a directory, which is made where it is missing. Nothing in it is changed before the lock
   * is held, and nothing at all where it belongs to another node.
   *
   * @throws ForeignDirectoryException when it is no data directory of this member, or another
   *     process uses it
   * @throws UncheckedIOException when it cannot be read or written
   */
  public static DataDirectory lock(Path directory, String clusterId, MemberId self) {
    Identity.inspect(directory, clusterId, self);
    try {
      Files.createDirectories(directory);
      FileChannel lockFile =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(lockFile)) {
        lockFile.close();
        throw new ForeignDirectoryException(
            "cannot open the data directory "
                + directory.toAbsolutePath()
                + ": another process is using it; stop that process or give this node its own"
                + " directory");
      }
      return new DataDirectory(directory, lockFile);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static boolean isLocked(FileChannel lockFile) throws IOException {
    try {
      FileLock lock = lockFile.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // By another node in this process, which only tests have.
      return false;
    }
  }

  /**
   * Gives this start its generation, which is durable before it is returned: larger than that of
   * each start before, and not less than the wall clock in milliseconds, so that it is also larger
   * where the directory is an older copy.
   *
   * @throws ForeignDirectoryException when the last number cannot be read
   * @throws UncheckedIOException when the new one cannot be kept
   */
  public long nextGeneration(InstantSource wallClock) {
    try {
      long next = Math.max(lastGeneration() + 1, wallClock.millis());
      Path draft = directory.resolve(GENERATION + ".new");
      try (FileChannel channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        channel.write(StandardCharsets.UTF_8.encode(next + "\n"));
        channel.force(true);
      }
      Files.move(draft, directory.resolve(GENERATION), StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel parent = FileChannel.open(directory)) {
        parent.force(true);
      }
      return next;
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private long lastGeneration() throws IOException {
    Path file = directory.resolve(GENERATION);
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (NoSuchFileException e) {
      return 0;
    } catch (NumberFormatException e) {
      throw new ForeignDirectoryException(
          file + " is corrupted; delete it if no other process of this member is running");
    }
  }

  private static UncheckedIOException unusable(Path directory, IOException e) {
    return new UncheckedIOException("the data directory " + directory + " cannot be used: " + e, e);
  }

  /** Lets another process have the directory. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
