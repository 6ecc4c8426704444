package dev.kvorum.storage.salvage;

import dev.kvorum.data.KeyRange;
import dev.kvorum.files.DurableFile;
import dev.kvorum.storage.LostKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

/**
 * {@link LostKeys} in a text file beside the store: a line of slots, then one for each range
 * ({@link KeyRangeFile}).
 */
public final class LostKeysFile {
  private static final HexFormat HEX = HexFormat.of();

  private final Path file;

  public LostKeysFile(Path file) {
    this.file = file;
  }

  /** Reads the file. Blocks. */
  public LostKeys read() throws IOException {
    if (!Files.exists(file)) {
      return LostKeys.NONE;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    try {
      BitSet slots = BitSet.valueOf(HEX.parseHex(lines.getFirst()));
      List<KeyRange> ranges = new ArrayList<>();
      lines.subList(1, lines.size()).forEach(line -> ranges.add(KeyRangeFile.range(line)));
      return new LostKeys(ranges, slots);
    } catch (RuntimeException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Replaces the file's contents, durably. Blocks. */
  public void write(LostKeys lost) throws IOException {
    if (lost.isEmpty()) {
      Files.deleteIfExists(file);
      DurableFile.syncDirectoryOf(file);
      return;
    }
    StringBuilder text = new StringBuilder(HEX.formatHex(lost.slots().toByteArray()));
    lost.ranges().forEach(range -> text.append('\n').append(KeyRangeFile.line(range)));
    DurableFile.replace(file, text.toString());
  }
}
