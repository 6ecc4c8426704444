package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Path current = directory.resolve(CURRENT);
    if (!Files.exists(current)) {
      return Optional.empty();
    }
    byte[] bytes = Files.readAllBytes(current);
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

  /** The newest sequence number in the readable part of a manifest; empty if there is none. */
  static OptionalLong lastSequence(Path manifest) throws IOException {
    Sequences sequences = new Sequences();
    LogFragments.read(manifest, sequences);
    return sequences.newest;
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

  /**
   * The sequence numbers of changes ({@code db/version_edit.cc}): fields with a tag each, of which
   * those before the sequence number are numbers and strings.
   */
  private static final class Sequences extends LogRecords {
    /** Enough for what precedes a sequence number. */
    private static final int BYTES_MAX = 1024;

    private static final int COMPARATOR = 1;
    private static final int LOG_NUMBER = 2;
    private static final int NEXT_FILE_NUMBER = 3;
    private static final int LAST_SEQUENCE = 4;
    private static final int PREVIOUS_LOG_NUMBER = 9;
    private static final int MIN_LOG_NUMBER = 10;
    private static final int MAX_COLUMN_FAMILY = 203;

    /** In the tags of fields that older versions skip, which are strings. */
    private static final int SKIPPED = 1 << 13;

    private OptionalLong newest = OptionalLong.empty();
    private boolean isUnreadable;

    Sequences() {
      super(BYTES_MAX);
    }

    @Override
    protected void complete(ByteBuffer change, long changeEnd) {
      OptionalLong named = sequence(change);
      newest = named.isPresent() && !isUnreadable ? named : newest;
    }

    @Override
    public void unreadable() {
      super.unreadable();
      isUnreadable = true;
    }

    private static OptionalLong sequence(ByteBuffer change) {
      try {
        for (int tag = tag(change); tag != LAST_SEQUENCE; tag = tag(change)) {
          switch (tag) {
            case LOG_NUMBER,
                NEXT_FILE_NUMBER,
                PREVIOUS_LOG_NUMBER,
                MIN_LOG_NUMBER,
                MAX_COLUMN_FAMILY ->
                Varint.read(change);
            default -> {
              if (tag != COMPARATOR && (tag & SKIPPED) == 0) {
                return OptionalLong.empty();
              }
              change.get(new byte[(int) Varint.read(change)]);
            }
          }
        }
        return OptionalLong.of(Varint.read(change));
      } catch (BufferUnderflowException e) {
        return OptionalLong.empty();
      }
    }

    private static int tag(ByteBuffer change) {
      return (int) Varint.read(change);
    }
  }
}
