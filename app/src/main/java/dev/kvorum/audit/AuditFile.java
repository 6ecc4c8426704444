package dev.kvorum.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are appended. Before it would become too large it is renamed, in place of
 * the one before: two files are kept. Confined to one thread.
 */
final class AuditFile implements AuditOutput {
  private final Path file;
  private final long bytesMax;
  private @Nullable FileChannel channel;

  /**
   * Opens a file, or creates it.
   *
   * @param bytesMax size that it has at most, unless one write is larger
   */
  AuditFile(Path file, long bytesMax) throws IOException {
    this.file = file;
    this.bytesMax = bytesMax;
    this.channel = open();
  }

  /** Ends a line that a crash or a full disk has left without an end. */
  private FileChannel open() throws IOException {
    boolean isTorn = isTorn();
    FileChannel opened =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (isTorn) {
      append(opened, new byte[] {'\n'});
    }
    return opened;
  }

  private boolean isTorn() throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return false;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    try (FileChannel written = FileChannel.open(file, StandardOpenOption.READ)) {
      return written.read(last, written.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  @Override
  public void write(byte[] lines) throws IOException {
    try {
      FileChannel to = channel == null ? open() : channel;
      channel = to;
      long bytes = to.size();
      if (bytes > 0 && bytes + lines.length > bytesMax) {
        close();
        Path before = file.resolveSibling(file.getFileName() + ".1");
        Files.move(file, before, StandardCopyOption.REPLACE_EXISTING);
        to = open();
        channel = to;
      }
      append(to, lines);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static void append(FileChannel to, byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      to.write(left);
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
