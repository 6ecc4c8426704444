package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists a directory's objects in order of names. A directory has its entries in no order: it is
 * read once for each page of the next smallest names, so that memory does not grow with their
 * number.
 */
final class VolumeListing {
  /** Some megabytes of names. */
  static final int PAGE = 16_384;

  private final Path root;
  private final int page;

  VolumeListing(Path root, int page) {
    this.root = root;
    this.page = page;
  }

  void list(String prefix, Consumer<StoredObject> each) throws IOException {
    String base = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    Path directory = base.isEmpty() ? root : root.resolve(base);
    if (!base.isEmpty()) {
      new VolumeFailures(root).checkNoLinks(directory);
    }
    if (Files.isDirectory(directory)) {
      walk(directory, base, prefix.substring(base.length()), each);
    } else if (Files.notExists(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
  }

  private void walk(Path directory, String base, String begin, Consumer<StoredObject> each)
      throws IOException {
    String last = "";
    while (true) {
      NavigableSet<String> next = next(directory, begin, last);
      for (String key : next) {
        Path file = directory.resolve(key);
        if (key.endsWith("/")) {
          walkIfThere(file, base + key, each);
        } else {
          BasicFileAttributes attributes = attributes(file);
          if (attributes != null && attributes.isRegularFile()) {
            each.accept(
                new StoredObject(
                    base + key, attributes.size(), attributes.lastModifiedTime().toInstant()));
          }
        }
      }
      if (next.size() < page) {
        return;
      }
      last = next.last();
    }
  }

  private void walkIfThere(Path directory, String base, Consumer<StoredObject> each)
      throws IOException {
    try {
      walk(directory, base, "", each);
    } catch (NoSuchFileException e) {
      // Removed meanwhile, with the last object in it.
      new VolumeFailures(root).checkRoot(e);
    }
  }

  /**
   * The smallest names in a directory above the last one. That of a directory ends with a slash:
   * thus a-b comes before a/b, as among whole names.
   */
  private NavigableSet<String> next(Path directory, String begin, String last) throws IOException {
    NavigableSet<String> next = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        boolean full = next.size() == page && name.compareTo(next.last()) > 0;
        boolean passed = (name + "/").compareTo(last) <= 0;
        if (!full && !passed && name.startsWith(begin) && ObjectNames.isSegment(name)) {
          String key = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) ? name + "/" : name;
          if (key.compareTo(last) > 0) {
            next.add(key);
          }
          if (next.size() > page) {
            next.pollLast();
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return next;
  }

  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
