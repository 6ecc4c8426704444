package dev.kvorum.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A directory of PEM files that may be replaced at any time. Kubernetes replaces a mounted Secret
 * by switching the link {@code ..data}: all files are read from where it leads at one moment.
 */
final class PemDirectory {
  private static final String CURRENT = "..data";

  /** Largest file; a bundle of a hundred certificates has less. */
  private static final long FILE_BYTES_MAX = 1 << 20;

  private final Path directory;

  PemDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * Files as they were at one moment.
   *
   * @param texts contents by name, of those that exist
   */
  record Snapshot(Path directory, Map<String, String> texts) {
    /** The content of a file. */
    String text(String name) throws InvalidCertificateException {
      String text = texts.get(name);
      if (text == null) {
        throw new InvalidCertificateException("there is no " + directory.resolve(name));
      }
      return text;
    }

    /** SHA-256 of the contents of files, one after the other, in hexadecimal digits. */
    String digest(List<String> names) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String name : names) {
          digest.update(texts.getOrDefault(name, "").getBytes(StandardCharsets.ISO_8859_1));
        }
        return HexFormat.of().formatHex(digest.digest());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Without the contents: one is a private key. */
    @Override
    public String toString() {
      return directory.toString();
    }
  }

  /** Reads those of the files that exist. */
  Snapshot read(List<String> names) throws IOException {
    Path link = directory.resolve(CURRENT);
    Path from = Files.exists(link) ? link.toRealPath() : directory;
    Map<String, String> texts = new HashMap<>();
    for (String name : names) {
      Path file = from.resolve(name);
      try {
        if (Files.size(file) > FILE_BYTES_MAX) {
          throw new IOException(file + " is larger than " + FILE_BYTES_MAX + " bytes");
        }
        texts.put(name, Files.readString(file, StandardCharsets.ISO_8859_1));
      } catch (NoSuchFileException e) {
        // Whether it is needed is for the reader of the snapshot.
      }
    }
    return new Snapshot(directory, texts);
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
