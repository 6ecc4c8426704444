package dev.kvorum.membership;

import dev.kvorum.files.DurableFile;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The newest topology that this node has followed, in its data directory. The node starts with it
 * while the API server is unavailable. The first line contains epoch, phase and cluster. The second
 * lists the features, if there are any. Each further line but the last describes a member: state,
 * name and zone, and after a tab the next zone of one that moves. The last line contains the CRC32C
 * of all before it: a flipped digit of an epoch would be a topology that never was.
 */
public final class TopologyFile {
  private static final String NAME = "topology";
  private static final String CHECKSUM = "crc32c ";
  private static final String FEATURES = "FEATURES ";

  private final Path file;

  public TopologyFile(Path directory) {
    this.file = directory.resolve(NAME);
  }

  /**
   * Reads the stored topology, if there is one.
   *
   * @throws UncheckedIOException if it cannot be read
   * @throws ForeignDirectoryException if it is corrupted
   */
  public Optional<Topology> read() {
    try {
      return Optional.of(parse(checked(Files.readAllBytes(file)).lines().toList()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read: " + e, e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | NoSuchElementException e) {
      throw new ForeignDirectoryException(
          file
              + " is corrupted ("
              + e.getMessage()
              + "). Delete it: the node then waits for the topology from the API server");
    }
  }

  private static String checked(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf(CHECKSUM);
    String body = text.substring(0, Math.max(0, end));
    if (!text.equals(withChecksum(body))) {
      throw new IllegalArgumentException("its checksum does not match");
    }
    return body;
  }

  private static String withChecksum(String body) {
    CRC32C checksum = new CRC32C();
    checksum.update(body.getBytes(StandardCharsets.UTF_8));
    return body + CHECKSUM + "%08x\n".formatted(checksum.getValue());
  }

  private static Topology parse(List<String> lines) {
    String[] head = lines.getFirst().split(" ", 3);
    Set<Feature> features = Set.of();
    List<Member> members = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(FEATURES)) {
        features = Feature.of(Feature.split(line.substring(FEATURES.length())));
        continue;
      }
      String[] words = line.split(" ", 3);
      MemberState state = MemberState.valueOf(words[0]);
      String[] zones =
          state == MemberState.MOVING ? words[2].split("\t", 2) : new String[] {words[2], words[2]};
      members.add(new Member(new MemberId(words[1]), zones[0], state, zones[1]));
    }
    return new Topology(
        head[2], Long.parseLong(head[0]), Phase.valueOf(head[1]), members, features);
  }

  /**
   * Replaces the stored topology, durably.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void write(Topology topology) {
    StringBuilder text = new StringBuilder();
    text.append(topology.epoch()).append(' ').append(topology.phase()).append(' ');
    text.append(topology.clusterId()).append('\n');
    if (!topology.features().isEmpty()) {
      text.append(FEATURES).append(Feature.names(topology.features())).append('\n');
    }
    for (Member member : topology.members()) {
      text.append(member.state()).append(' ').append(member.id()).append(' ');
      text.append(member.zone());
      if (member.state() == MemberState.MOVING) {
        text.append('\t').append(member.nextZone());
      }
      text.append('\n');
    }
    try {
      DurableFile.replace(file, withChecksum(text.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written: " + e, e);
    }
  }
}
