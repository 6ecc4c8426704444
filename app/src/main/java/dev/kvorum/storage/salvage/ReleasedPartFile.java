package dev.kvorum.storage.salvage;

import dev.kvorum.data.KeyRange;
import dev.kvorum.files.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ReleasedPart} in a text file in the set-aside store's directory: a line of the fields,
 * then one for each unreadable range ({@link KeyRangeFile}).
 */
final class ReleasedPartFile {
  private static final Logger log = LoggerFactory.getLogger(ReleasedPartFile.class);

  /** The file's name. */
  static final String NAME = "SALVAGED";

  private static final String YES = "1";
  private static final String NO = "0";

  private final Path file;

  ReleasedPartFile(Path directory) {
    file = directory.resolve(NAME);
  }

  /** Reads the file; empty if nothing was deleted. Blocks. */
  Optional<ReleasedPart> read() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    try {
      String[] fields = lines.getFirst().split(" ", 4);
      List<KeyRange> unreadable = new ArrayList<>();
      lines.subList(1, lines.size()).forEach(line -> unreadable.add(KeyRangeFile.range(line)));
      return Optional.of(
          new ReleasedPart(
              fields[0].equals(YES),
              KeyRangeFile.key(fields[3]),
              fields[1].equals(YES),
              fields[2].equals(YES),
              unreadable));
    } catch (RuntimeException e) {
      log.error("{} is corrupted: all keys of this store count as unreadable", file, e);
      return Optional.of(ReleasedPart.UNKNOWN);
    }
  }

  /** Replaces the file's contents, durably. Blocks. */
  void write(ReleasedPart part) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(flag(part.isWhole()))
        .append(' ')
        .append(flag(part.isLogComplete()))
        .append(' ')
        .append(flag(part.hasSingleCopies()))
        .append(' ')
        .append(KeyRangeFile.bound(part.upTo()));
    part.unreadable().forEach(range -> text.append('\n').append(KeyRangeFile.line(range)));
    DurableFile.replace(file, text.toString());
  }

  private static String flag(boolean value) {
    return value ? YES : NO;
  }
}
