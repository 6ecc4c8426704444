package dev.kvorum.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of a store that can be replaced, side by side: the one in use, for a moment a
 * fresh one, and at most one that was set aside.
 */
final class StorePlaces {
  private static final Logger LOGGER = LoggerFactory.getLogger(StorePlaces.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path current;
  private final Path fresh;
  private final Path parent;
  private final String asidePrefix;

  StorePlaces(Path current) {
    this.current = current.toAbsolutePath();
    String name = this.current.getFileName().toString();
    this.fresh = this.current.resolveSibling(name + ".fresh");
    this.parent = fresh.resolveSibling(".").normalize();
    this.asidePrefix = name + ".set-aside-";
  }

  /** Where the successor is made ready. */
  Path fresh() {
    return fresh;
  }

  /**
   * Ends a replacement in which the process did: a fresh store is whole once the current one has
   * been moved away, and to be made again before that.
   */
  void finishInterrupted() throws IOException {
    if (!Files.exists(fresh)) {
      return;
    }
    if (Files.exists(current)) {
      deleteAll(fresh);
    } else {
      Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
      sync();
    }
  }

  /** Deletes what a replacement that failed left of its fresh store. */
  void clearFresh() throws IOException {
    if (Files.exists(fresh)) {
      deleteAll(fresh);
    }
  }

  /**
   * Moves the current store aside and the fresh one into its place. Of copies set aside only the
   * newest is kept, and it only if the disk has room for another store of its size.
   *
   * @return where the current store is now; gone, if there was no room
   */
  Path swap(Instant now, long freeMinBytes) throws IOException {
    for (Path older : setAside()) {
      LOGGER.warn("Deletes {}, which was set aside earlier", older);
      deleteUnneeded(older);
    }
    Path aside = current.resolveSibling(asidePrefix + TIME.format(now));
    Files.move(current, aside, StandardCopyOption.ATOMIC_MOVE);
    Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
    sync();
    long bytes = bytesIn(aside);
    long free = DiskSpace.usableBytes(parent);
    if (free >= 0 && free - bytes < freeMinBytes) {
      LOGGER.warn(
          "Deletes the damaged store {} of {} bytes: with {} bytes free there is no room for it"
              + " beside its successor",
          aside,
          bytes,
          free);
      deleteUnneeded(aside);
    }
    return aside;
  }

  /** Stores that were set aside. */
  List<Path> setAside() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(path -> path.getFileName().toString().startsWith(asidePrefix)).toList();
    }
  }

  private void sync() throws IOException {
    try (FileChannel directory = FileChannel.open(parent)) {
      directory.force(true);
    }
  }

  private static long bytesIn(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static void deleteUnneeded(Path directory) {
    try {
      deleteAll(directory);
    } catch (IOException e) {
      // Only its space is missed.
      LOGGER.warn("Cannot delete {}", directory, e);
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
