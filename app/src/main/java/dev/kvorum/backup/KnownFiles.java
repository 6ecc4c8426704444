package dev.kvorum.backup;

import dev.kvorum.files.DurableFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SHA-256 of the files of the last checkpoint, so that unchanged files are not read again. Numbers
 * of files are used again in another store: a file is known by its identity on the file system, its
 * length and time of change too. Confined to one thread.
 */
final class KnownFiles {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) (.+)");

  private final Path file;
  private final Map<String, String> known;
  private final Map<String, String> now = new TreeMap<>();

  private KnownFiles(Path file, Map<String, String> known) {
    this.file = file;
    this.known = known;
  }

  /** Reads what is known; nothing if the file is unreadable. */
  static KnownFiles read(Path file) throws IOException {
    Map<String, String> known = new HashMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        var parts = LINE.matcher(line);
        if (parts.matches()) {
          known.put(parts.group(2), parts.group(1));
        }
      }
    } catch (NoSuchFileException | CharacterCodingException e) {
      return new KnownFiles(file, Map.of());
    }
    return new KnownFiles(file, known);
  }

  /** Computes a file's SHA-256. */
  interface Hash {
    String of(Path path) throws IOException;
  }

  /** The SHA-256 of an unchanging file, which is computed if the file is not known. */
  String hash(Path path, Hash hash) throws IOException {
    String identity = identity(path);
    String sha256 = known.get(identity);
    if (sha256 == null) {
      sha256 = hash.of(path);
    }
    now.put(identity, sha256);
    return sha256;
  }

  private static String identity(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return String.join(
        " ",
        List.of(
            String.valueOf(attributes.fileKey()),
            String.valueOf(attributes.size()),
            attributes.lastModifiedTime().toString(),
            String.valueOf(path.getFileName())));
  }

  /** Keeps the files that were asked for, and no others. */
  void keep() throws IOException {
    DurableFile.replace(
        file,
        now.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey() + "\n")
            .collect(Collectors.joining()));
  }
}
