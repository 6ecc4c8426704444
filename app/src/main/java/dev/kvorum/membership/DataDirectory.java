package dev.kvorum.membership;

import dev.kvorum.files.DurableFile;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;

/**
 * A data directory that this process uses exclusively. Its file {@code lock} is locked until this
 * is closed. Its file {@code generation} contains the number of its last start.
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
   * Locks a directory and creates it if it does not exist. Nothing in it changes before the lock is
   * held, and nothing at all if it belongs to another node.
   *
   * @throws ForeignDirectoryException if it is no data directory of this member, or another process
   *     uses it
   * @throws UncheckedIOException if it cannot be read or written
   */
  public static DataDirectory lock(Path directory, String clusterId, MemberId self) {
    IdentityFile.inspect(directory, clusterId, self);
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
      // Locked by another node in this process, which occurs only in tests.
      return false;
    }
  }

  /**
   * Returns the generation of this start, which is durable before the call returns. It is larger
   * than that of each earlier start, and at least the wall clock in milliseconds. It is therefore
   * also larger if the directory is an older copy.
   *
   * @throws ForeignDirectoryException if the last number cannot be read
   * @throws UncheckedIOException if the new one cannot be stored
   */
  public long nextGeneration(InstantSource wallClock) {
    try {
      long next = Math.max(lastGeneration() + 1, wallClock.millis());
      DurableFile.replace(directory.resolve(GENERATION), next + "\n");
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

  static UncheckedIOException unusable(Path directory, IOException e) {
    String reason =
        e instanceof AccessDeniedException
            ? "access to "
                + e.getMessage()
                + " was denied; grant the user of the node read and write access to the directory"
                + " and its files"
            : e.toString();
    return new UncheckedIOException(
        "the data directory " + directory + " cannot be used: " + reason, e);
  }

  /** Releases the lock. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
