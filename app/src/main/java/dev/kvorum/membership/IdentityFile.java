package dev.kvorum.membership;

import dev.kvorum.files.DurableFile;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The owner of a data directory, in its file {@code identity}, which is written at the first use
 * and when a feature becomes active.
 *
 * @param incarnation random number chosen when the directory was created; a different one means a
 *     different disk
 * @param members names for which the slots were laid out, if the members can never change; else
 *     empty
 * @param features what other files of the directory may contain and other members may send
 */
public record IdentityFile(
    String clusterId, MemberId member, long incarnation, String members, Set<Feature> features) {
  private static final String FILE = "identity";
  private static final String FORMAT = "1";

  /** Releases that know no features reject it. */
  private static final String FORMAT_WITH_FEATURES = "2";

  /**
   * Reads the identity of a directory, or creates one if the directory is missing or empty.
   *
   * @throws UncheckedIOException if the directory cannot be read or written
   * @throws ForeignDirectoryException if it belongs to another node, is no data directory, or was
   *     laid out for other members
   */
  public static IdentityFile claim(
      Path directory, String clusterId, String members, MemberId self, RandomGenerator random) {
    Path file = directory.resolve(FILE);
    try {
      Files.createDirectories(directory);
      if (Files.exists(file)) {
        IdentityFile found = read(file);
        found.check(directory, clusterId, members, self);
        return found;
      }
      rejectStrangeFiles(directory);
      IdentityFile fresh = new IdentityFile(clusterId, self, random.nextLong(), members, Set.of());
      fresh.write(file);
      return fresh;
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }

  /**
   * Stores the active features durably. From then on, a release that lacks one of them rejects the
   * directory.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  void keep(Set<Feature> active, Path directory) {
    try {
      new IdentityFile(clusterId, member, incarnation, members, active)
          .write(directory.resolve(FILE));
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }

  /**
   * Checks a directory without changing it.
   *
   * @throws UncheckedIOException if the directory cannot be read
   * @throws ForeignDirectoryException if it belongs to another cluster or member, or is no data
   *     directory
   */
  static void inspect(Path directory, String clusterId, MemberId self) {
    Path file = directory.resolve(FILE);
    try {
      if (Files.exists(file)) {
        IdentityFile found = read(file);
        found.check(directory, clusterId, found.members, self);
      } else if (Files.exists(directory)) {
        rejectStrangeFiles(directory);
      }
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }

  private static void rejectStrangeFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      // Files that a new volume contains are harmless.
      files
          .filter(file ->
              !file.endsWith("lost+found")
                  && !file.endsWith("identity.new")
                  && !file.endsWith(DataDirectory.LOCK))
          .findFirst()
          .ifPresent(file -> {
            throw new ForeignDirectoryException(
                directory
                    + " is not empty and has no '"
                    + FILE
                    + "' file ("
                    + file.getFileName()
                    + " is there); set kvorum.data-dir to an empty directory or to one that a node has"
                    + " used");
          });
    }
  }

  private void check(Path directory, String askedCluster, String asked, MemberId self) {
    if (!clusterId.equals(askedCluster)) {
      reject(directory, "cluster '" + clusterId + "'", "'" + askedCluster + "'");
    }
    if (!member.equals(self)) {
      reject(directory, "member " + member, self + " (kvorum.node.name)");
    }
    if (!members.equals(asked)) {
      reject(
          directory,
          members.isEmpty() ? "a cluster whose members may change" : "a cluster of " + members,
          (asked.isEmpty() ? "one whose members may change" : asked)
              + " (kvorum.cluster.peers; static members cannot be changed once there is data)");
    }
  }

  private static void reject(Path directory, String owner, String asker) {
    throw new ForeignDirectoryException(
        directory + " belongs to " + owner + ", this node is set to " + asker);
  }

  private static IdentityFile read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      String format = properties.getProperty("format");
      if (format == null) {
        throw new ForeignDirectoryException(file + " is corrupted: it has no format");
      }
      if (!FORMAT.equals(format) && !FORMAT_WITH_FEATURES.equals(format)) {
        throw new ForeignDirectoryException(
            file
                + " has format "
                + format
                + ", this version supports formats "
                + FORMAT
                + " and "
                + FORMAT_WITH_FEATURES
                + "; run the version that wrote it");
      }
      return new IdentityFile(
          properties.getProperty("cluster", ""),
          new MemberId(properties.getProperty("member", "")),
          Long.parseUnsignedLong(properties.getProperty("incarnation", ""), 16),
          properties.getProperty("members", ""),
          features(file, properties.getProperty("features", "")));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw new ForeignDirectoryException(file + " is corrupted: " + e.getMessage());
    }
  }

  private static Set<Feature> features(Path file, String labels) {
    try {
      return Feature.of(Feature.split(labels));
    } catch (IllegalArgumentException e) {
      throw new ForeignDirectoryException(file.getParent() + " cannot be used: " + e.getMessage());
    }
  }

  private static String escaped(String text) {
    String safe = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    // The format drops leading blanks of a value.
    return safe.isEmpty() || !Character.isWhitespace(safe.charAt(0)) ? safe : "\\" + safe;
  }

  private void write(Path file) throws IOException {
    String text =
        """
        # Whose data this is. Written by Kvorum; do not edit.
        format=%s
        cluster=%s
        member=%s
        incarnation=%s
        members=%s
        """
            .formatted(
                features.isEmpty() ? FORMAT : FORMAT_WITH_FEATURES,
                escaped(clusterId),
                member,
                Long.toHexString(incarnation),
                members);
    if (!features.isEmpty()) {
      text += "features=" + Feature.names(features) + "\n";
    }
    DurableFile.replace(file, text);
  }
}
