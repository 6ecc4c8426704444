package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The end of a manifest, RocksDB's catalogue of tables. Each change is appended and synced before
 * other data depends on it. A power loss may therefore tear the last change, and nothing is lost
 * with it. RocksDB ignores a last change that is too short and rejects one with wrong bytes.
 */
final class ManifestTail {
  private static final String CURRENT = "CURRENT";
  private static final Pattern NAME = Pattern.compile("MANIFEST-[0-9]+");

  private ManifestTail() {}

  /** The current manifest; empty if unknown, which RocksDB reports itself. */
  static Optional<Path> manifest(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve(CURRENT));
    String name = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    return NAME.matcher(name).matches()
        ? Optional.of(directory.resolve(name)).filter(Files::isRegularFile)
        : Optional.empty();
  }

  /**
   * The end of a manifest without its last, unreadable change. Empty if the entire manifest is
   * readable, or if the unreadable part is not at the end. Blocks.
   */
  static OptionalLong tornAt(Path manifest) throws IOException {
    Changes changes = new Changes();
    LogFragments.read(manifest, changes);
    return changes.isUnreadable && !changes.isResumed && changes.end > 0
        ? OptionalLong.of(changes.end)
        : OptionalLong.empty();
  }

  /** Truncates a manifest, durably. Blocks. */
  static void cut(Path manifest, long end) throws IOException {
    try (FileChannel channel = FileChannel.open(manifest, StandardOpenOption.WRITE)) {
      channel.truncate(end);
      channel.force(true);
    }
  }

  private static final class Changes implements LogFragments.Reader {
    private long end;
    private boolean isUnreadable;
    private boolean isResumed;

    @Override
    public void intact(byte type, ByteBuffer body, long fragmentEnd) {
      isResumed |= isUnreadable;
      if (type == LogFragments.FULL || type == LogFragments.LAST) {
        end = fragmentEnd;
      }
    }

    @Override
    public void unreadable() {
      isUnreadable = true;
    }
  }
}
