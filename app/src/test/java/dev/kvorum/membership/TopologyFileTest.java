package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyFileTest {
  private static final Topology TOPOLOGY =
      new Topology(
          "a cluster",
          7,
          Phase.SETTLING,
          List.of(
              new Member(new MemberId("n0"), "zone a", MemberState.ACTIVE),
              new Member(new MemberId("n1"), "", MemberState.LEAVING),
              new Member(new MemberId("n2"), "", MemberState.MOVING, "zone b"),
              new Member(new MemberId("n3"), "zone a", MemberState.MOVING, "")));

  @TempDir private Path directory;

  @Test
  void givesBackWhatWasKeptLast() {
    TopologyFile file = new TopologyFile(directory);
    assertThat(file.read()).isEmpty();
    file.write(TOPOLOGY);
    assertThat(file.read()).contains(TOPOLOGY);
    Topology newer =
        Topology.stable(
            "a cluster", 8, List.of(new Member(new MemberId("n0"), "", MemberState.ACTIVE)));
    file.write(newer);
    assertThat(new TopologyFile(directory).read()).contains(newer);
    file.write(newer.with(Set.of(Feature.CONTENT_TYPE)));
    assertThat(file.read()).contains(newer.with(Set.of(Feature.CONTENT_TYPE)));
  }

  @Test
  void aFileWithAFlippedBitIsNotRead() throws IOException {
    TopologyFile file = new TopologyFile(directory);
    file.write(TOPOLOGY);
    Path path = directory.resolve("topology");
    byte[] intact = Files.readAllBytes(path);
    for (int bit = 0; bit < 8 * intact.length; bit++) {
      byte[] flipped = intact.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(path, flipped);
      assertRejected(file);
    }
    for (int length = 0; length < intact.length; length++) {
      Files.write(path, Arrays.copyOf(intact, length));
      assertRejected(file);
    }
  }

  private static void assertRejected(TopologyFile file) {
    assertThatThrownBy(file::read)
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining("topology is corrupted");
  }
}
