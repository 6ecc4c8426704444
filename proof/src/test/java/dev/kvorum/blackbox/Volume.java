package dev.kvorum.blackbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A file system of its own, in memory, at a directory. */
final class Volume implements AutoCloseable {
  private final Path directory;

  private Volume(Path directory) {
    this.directory = directory;
  }

  /** Mounts one; skips the test where that is not permitted. */
  static Volume mount(Path directory, int megabytes) throws IOException {
    Files.createDirectories(directory);
    String size = "size=%dm".formatted(megabytes);
    if (!succeeds("mount", "-t", "tmpfs", "-o", size, "tmpfs", directory.toString())) {
      return Assumptions.abort("file systems cannot be mounted here");
    }
    return new Volume(directory);
  }

  private static boolean succeeds(String... command) {
    try {
      Process process = new ProcessBuilder(List.of(command)).inheritIO().start();
      return process.onExit().join().exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    // A directory that is still mounted cannot be deleted.
    if (!succeeds("umount", "--lazy", directory.toString())) {
      throw new IllegalStateException("cannot unmount " + directory);
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
