package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The files of a store as bytes, by name; what RocksDB does not read at its start is left out. */
final class DiskImage {
  private final NavigableMap<String, byte[]> files = new TreeMap<>();

  DiskImage() {}

  DiskImage(DiskImage other) {
    files.putAll(other.files);
  }

  /** The files of a directory at this moment. */
  static DiskImage of(Path directory) {
    DiskImage image = new DiskImage();
    for (Path file : StoreFiles.like(directory, "", "")) {
      String name = file.getFileName().toString();
      if (!name.startsWith("LOG") && !name.equals("LOCK") && !name.startsWith("OPTIONS")) {
        try {
          image.files.put(name, Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
          // Deleted since it was listed; the caller looks again.
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return image;
  }

  void writeTo(Path directory) {
    try {
      Files.createDirectories(directory);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes the files in a directory, which may be in use, where this image is not the other. */
  void writeChanges(DiskImage other, Path directory) {
    try {
      for (Map.Entry<String, byte[]> file : other.files.entrySet()) {
        byte[] changed = files.get(file.getKey());
        Path path = directory.resolve(file.getKey());
        if (changed == null) {
          Files.deleteIfExists(path);
        } else if (!Arrays.equals(changed, file.getValue())) {
          Files.write(
              path, changed, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        }
      }
    } catch (NoSuchFileException e) {
      // Deleted by its owner.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names and bytes; neither the arrays nor the map are to be changed. */
  NavigableMap<String, byte[]> files() {
    return files;
  }

  Optional<byte[]> file(String name) {
    return Optional.ofNullable(files.get(name));
  }

  void put(String name, byte[] bytes) {
    files.put(name, bytes);
  }

  void remove(String name) {
    files.remove(name);
  }

  static boolean isLog(String name) {
    return name.endsWith(".log");
  }

  boolean isSame(DiskImage other) {
    return files.keySet().equals(other.files.keySet())
        && files.entrySet().stream()
            .allMatch(file -> Arrays.equals(file.getValue(), other.files.get(file.getKey())));
  }
}
