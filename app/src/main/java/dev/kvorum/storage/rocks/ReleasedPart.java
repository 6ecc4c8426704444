package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
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
 * The part of a set-aside store that may have been deleted because its records are stored again. A
 * text file in the store's directory records it before the first deletion, with all that only that
 * part could tell: a line of the fields, then one for each unreadable range.
 *
 * @param isWhole whether the part is the whole store
 * @param upTo otherwise the last key of the part; empty: there is no such part
 * @param isLogComplete whether all synced writes of the store's log could be read
 * @param hasSingleCopies whether records with a single copy were read
 * @param unreadable key ranges with unreadable records, as far as they were found
 */
record ReleasedPart(
    boolean isWhole,
    Optional<Key> upTo,
    boolean isLogComplete,
    boolean hasSingleCopies,
    List<KeyRange> unreadable) {
  private static final Logger log = LoggerFactory.getLogger(ReleasedPart.class);

  /** The file's name. */
  static final String FILE = "SALVAGED";

  private static final String YES = "1";

  /** Nothing is known about what was read: anything may be lost. */
  private static final ReleasedPart UNKNOWN =
      new ReleasedPart(false, Optional.empty(), false, true, List.of(KeyRange.ALL));

  /** Reads what is recorded for a store; empty if nothing was deleted. Blocks. */
  static Optional<ReleasedPart> of(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
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
      return Optional.of(UNKNOWN);
    }
  }

  /** Records it durably. Blocks. */
  void keepIn(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(isWhole ? YES : "0")
        .append(isLogComplete ? " 1" : " 0")
        .append(hasSingleCopies ? " 1 " : " 0 ")
        .append(KeyRangeFile.bound(upTo));
    unreadable.forEach(range -> text.append('\n').append(KeyRangeFile.line(range)));
    DurableFile.replace(directory.resolve(FILE), text.toString());
  }

  /** The same after the new store with these records was reset: nothing can be read there. */
  ReleasedPart lost() {
    List<KeyRange> all = new ArrayList<>(unreadable);
    if (isWhole) {
      all.add(KeyRange.ALL);
    } else if (upTo.isPresent()) {
      all.add(new KeyRange(Optional.empty(), true, upTo.get().next()));
    }
    return new ReleasedPart(isWhole, upTo, isLogComplete, hasSingleCopies, all);
  }
}
