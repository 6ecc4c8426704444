package dev.kvorum.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes small files that are complete or unchanged after a crash. */
public final class DurableFile {
  private DurableFile() {}

  /** Creates a file or replaces its contents, durably. Blocks. */
  public static void replace(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer rest = StandardCharsets.UTF_8.encode(text);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    syncDirectoryOf(file);
  }

  /** Makes a file's entry in its directory durable, or its removal. Blocks. */
  public static void syncDirectoryOf(Path file) throws IOException {
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      directory.force(true);
    }
  }
}
