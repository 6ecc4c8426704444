package dev.kvorum.storage.replace;

import dev.kvorum.files.Directories;
import dev.kvorum.storage.engine.DiskSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of a replaceable store, side by side: the current store, temporarily a fresh one,
 * and those set aside. A corrupted one is called {@code store.set-aside-<time>.corrupted} and is
 * never deleted under this name. It loses the suffix once all its readable records are stored
 * again. Of the others, only the newest is kept.
 */
final class StoreDirectories {
  private static final Logger log = LoggerFactory.getLogger(StoreDirectories.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path current;
  private final Path fresh;
  private final Path parent;
  private final String asidePrefix;

  private static final String CORRUPTED = ".corrupted";
  private static final int BLOCK_BYTES = 4096;

  StoreDirectories(Path current) {
    this.current = current.toAbsolutePath();
    String name = this.current.getFileName().toString();
    this.fresh = this.current.resolveSibling(name + ".fresh");
    this.parent = fresh.resolveSibling(".").normalize();
    this.asidePrefix = name + ".set-aside-";
  }

  /** The file that lists the lost keys. */
  Path lostKeys() {
    return current.resolveSibling(current.getFileName() + ".lost-keys");
  }

  /** The file that {@link #checkDisk} writes. */
  Path scratch() {
    return current.resolveSibling(current.getFileName() + ".scratch");
  }

  /** Writes and syncs a scratch file on the disk of the stores. Blocks; throws if that fails. */
  void checkDisk() throws IOException {
    try (FileChannel file =
        FileChannel.open(scratch(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(BLOCK_BYTES));
      file.force(true);
    }
    Files.delete(scratch());
  }

  /** The directory in which the new store is prepared. */
  Path fresh() {
    return fresh;
  }

  /**
   * Completes a replacement that was interrupted by the end of the process. If the current store
   * was moved away, the fresh one is complete; otherwise it has to be created again.
   */
  void finishInterrupted() throws IOException {
    if (!Files.exists(fresh)) {
      return;
    }
    if (Files.exists(current)) {
      Directories.delete(fresh);
    } else {
      Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
      sync();
    }
  }

  /** Deletes the remains of the fresh store of a failed replacement. */
  void clearFresh() throws IOException {
    if (Files.exists(fresh)) {
      Directories.delete(fresh);
    }
  }

  /**
   * Sets the current store aside and moves the fresh one into its place.
   *
   * @param isCorrupted whether the store is kept until {@link #release}; otherwise it is kept only
   *     as the newest one, and only if the disk has room for another store of its size
   * @return the new directory of the old store, which does not exist if there was no room
   * @throws IOException also if too many corrupted stores are kept already
   */
  Path swap(Instant now, boolean isCorrupted, long freeMinBytes) throws IOException {
    if (isCorrupted && corrupted().size() >= StoreDisk.CORRUPTED_MAX) {
      throw new IOException(
          StoreDisk.CORRUPTED_MAX
              + " corrupted stores are kept in "
              + parent
              + " and not yet salvaged: replace the disk, keep these directories");
    }
    for (Path older : unneeded()) {
      log.warn("Deleting {}, an older store that was set aside", older);
      deleteUnneeded(older);
    }
    Path aside = unused(now, isCorrupted ? CORRUPTED : "");
    Files.move(current, aside, StandardCopyOption.ATOMIC_MOVE);
    Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
    sync();
    if (!isCorrupted) {
      deleteWithoutRoom(aside, freeMinBytes);
    }
    return aside;
  }

  private Path unused(Instant now, String ending) {
    String name = asidePrefix + TIME.format(now);
    Path unused = current.resolveSibling(name + ending);
    for (int i = 1; Files.exists(unused); i++) {
      unused = current.resolveSibling(name + "-" + i + ending);
    }
    return unused;
  }

  private void deleteWithoutRoom(Path aside, long freeMinBytes) throws IOException {
    long bytes = bytesIn(aside);
    long free = DiskSpace.usableBytes(parent);
    if (free >= 0 && free - bytes < freeMinBytes) {
      log.warn(
          "Deleting the store {} of {} bytes, which was set aside: {} bytes of free space are too"
              + " few to keep it",
          aside,
          bytes,
          free);
      deleteUnneeded(aside);
    }
  }

  /** Corrupted stores that have not been salvaged, oldest first. */
  List<Path> corrupted() throws IOException {
    return setAside(true);
  }

  private List<Path> unneeded() throws IOException {
    return setAside(false);
  }

  private List<Path> setAside(boolean isCorrupted) throws IOException {
    if (!Files.exists(parent)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(path -> path.getFileName().toString().startsWith(asidePrefix))
          .filter(path -> path.toString().endsWith(CORRUPTED) == isCorrupted)
          .sorted()
          .toList();
    }
  }

  /** Records that corrupted stores are no longer needed; the newest may be kept for a while. */
  void release(List<Path> salvaged, long freeMinBytes) throws IOException {
    for (Path store : salvaged) {
      for (Path older : unneeded()) {
        deleteUnneeded(older);
      }
      String name = store.getFileName().toString();
      Path released = store.resolveSibling(name.substring(0, name.length() - CORRUPTED.length()));
      Files.move(store, released, StandardCopyOption.ATOMIC_MOVE);
      sync();
      deleteWithoutRoom(released, freeMinBytes);
    }
  }

  private void sync() throws IOException {
    try (FileChannel directory = FileChannel.open(parent)) {
      directory.force(true);
    }
  }

  private static long bytesIn(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static void deleteUnneeded(Path directory) {
    try {
      Directories.delete(directory);
    } catch (IOException e) {
      // Costs only disk space.
      log.warn("Cannot delete {}", directory, e);
    }
  }
}
