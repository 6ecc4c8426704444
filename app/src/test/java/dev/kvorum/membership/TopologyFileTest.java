package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "x STABLE c\nACTIVE n0 \n",
        "7 STABLE c\n",
        "7 STABLE c\nGONE n0 \n",
        "7 SETTLING c\nMOVING n0 a\n"
      })
  void aDamagedFileIsNotGuessedAt(String text) throws IOException {
    Files.writeString(directory.resolve("topology"), text);
    assertThatThrownBy(() -> new TopologyFile(directory).read())
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining("topology is corrupted");
  }
}
