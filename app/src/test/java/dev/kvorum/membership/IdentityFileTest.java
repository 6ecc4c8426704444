package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityFileTest {
  private static final MemberId A = new MemberId("a");

  @TempDir private Path temporary;
  private Path directory = Path.of("");

  @BeforeEach
  void nameADirectoryThatIsNotThereYet() {
    directory = temporary.resolve("some/data");
  }

  private static Topology topology(String cluster, String... names) {
    return Topology.stable(
        cluster,
        1,
        Arrays.stream(names)
            .map(name -> new Member(new MemberId(name), "", MemberState.ACTIVE))
            .toList());
  }

  private IdentityFile claim(Topology topology, MemberId self) {
    return IdentityFile.claim(
        directory, topology.clusterId(), topology.names(), self, Seeds.random());
  }

  private IdentityFile claim() {
    return claim(topology("kvorum", "a", "b"), A);
  }

  private void rejects(Topology topology, MemberId self, String... parts) {
    assertThatThrownBy(() -> claim(topology, self))
        .isInstanceOf(ForeignDirectoryException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(directory.toString()).contains(parts));
  }

  @Test
  void aNewDirectoryIsClaimedAndKeepsItsIncarnation() {
    IdentityFile first = claim();
    assertThat(first.clusterId()).isEqualTo("kvorum");
    assertThat(first.member()).isEqualTo(A);
    assertThat(first.members()).isEqualTo("a,b");
    assertThat(claim()).isEqualTo(first);
  }

  @Test
  void anotherDirectoryIsAnotherIncarnation() {
    long first = claim().incarnation();
    directory = temporary.resolve("another");
    assertThat(claim().incarnation()).isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {" kvorum", "kvorum ", "C:\\data", "a=b:c#d!", "Küche", "two\nlines", "", "\\u12"})
  void itsOwnDirectoryIsKnownAgainWhateverTheClusterIsCalled(String cluster) {
    IdentityFile first = claim(topology(cluster, "a"), A);
    assertThat(claim(topology(cluster, "a"), A)).isEqualTo(first);
  }

  @Test
  void aDirectoryOfAnotherClusterIsRejected() {
    claim();
    rejects(topology("other", "a", "b"), A, "belongs to cluster 'kvorum'", "set to 'other'");
  }

  @Test
  void aDirectoryOfAnotherMemberIsRejected() {
    claim();
    rejects(
        topology("kvorum", "a", "b"),
        new MemberId("b"),
        "belongs to member a",
        "set to b (kvorum.node.name)");
  }

  @Test
  void aDirectoryLaidOutForOtherMembersIsRejected() {
    claim();
    rejects(
        topology("kvorum", "a", "b", "c"),
        A,
        "belongs to a cluster of a,b",
        "set to a,b,c (kvorum.cluster.peers; static members cannot be changed");
  }

  @Test
  void aDirectoryWithStrangeFilesIsNotTouched() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("holiday.jpg"), "x");
    rejects(topology("kvorum", "a"), A, "is not empty", "holiday.jpg", "kvorum.data-dir");
    assertThat(directory).isDirectoryContaining(file -> file.endsWith("holiday.jpg"));
    assertThat(directory.resolve("identity")).doesNotExist();
  }

  @Test
  void dataWithoutAnIdentityIsNotTouched() throws IOException {
    claim();
    Files.createDirectories(directory.resolve("store"));
    Files.delete(directory.resolve("identity"));
    rejects(topology("kvorum", "a", "b"), A, "store is there");
  }

  @Test
  void whatAVolumeBringsAlongDoesNoHarm() throws IOException {
    Files.createDirectories(directory.resolve("lost+found"));
    assertThat(claim().member()).isEqualTo(A);
  }

  @Test
  void aCrashBetweenDraftAndRenameLeavesADirectoryToClaim() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("identity.new"), "format=1\nclus");
    IdentityFile claimed = claim();
    assertThat(directory.resolve("identity")).exists();
    assertThat(directory.resolve("identity.new")).doesNotExist();
    assertThat(claim()).isEqualTo(claimed);
  }

  @Test
  void everyTruncatedFileIsRejectedAndLeftAsItIs() throws IOException {
    claim();
    Path file = directory.resolve("identity");
    byte[] whole = Files.readAllBytes(file);
    String text = Files.readString(file);
    int lastValue = text.lastIndexOf("a,b");
    for (int length = 0; length < lastValue + 2; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      Files.write(file, part);
      assertThatThrownBy(this::claim)
          .as("%d bytes", length)
          .isInstanceOf(ForeignDirectoryException.class);
      assertThat(file).hasBinaryContent(part);
    }
  }

  @Test
  void aDamagedFileIsRejectedAsDamaged() throws IOException {
    claim();
    Path file = directory.resolve("identity");
    String whole = Files.readString(file);
    List<byte[]> damages =
        List.of(
            new byte[0],
            new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1},
            whole.replaceFirst("member=.*", "member=?").getBytes(StandardCharsets.UTF_8),
            whole
                .replaceFirst("incarnation=.*", "incarnation=xyz")
                .getBytes(StandardCharsets.UTF_8),
            "format=1\ncluster=\\uzzzz".getBytes(StandardCharsets.UTF_8));
    for (byte[] damage : damages) {
      Files.write(file, damage);
      rejects(topology("kvorum", "a", "b"), A, "identity", "corrupted");
    }
  }

  @Test
  void aFileOfALaterFormatIsNotCalledDamaged() throws IOException {
    claim();
    Files.writeString(directory.resolve("identity"), "format=3\n");
    rejects(topology("kvorum", "a", "b"), A, "has format 3, this version supports formats 1 and 2");
  }

  @Test
  void activeFeaturesAreKeptInAFormatThatOlderReleasesReject() throws IOException {
    IdentityFile first = claim();
    assertThat(directory.resolve("identity")).content().contains("format=1\n");
    first.keep(Set.of(Feature.CONTENT_TYPE), directory);
    assertThat(directory.resolve("identity"))
        .content()
        .contains("format=2\n", "features=content-type\n");
    IdentityFile next = claim();
    assertThat(next.features()).containsExactly(Feature.CONTENT_TYPE);
    assertThat(next.incarnation()).isEqualTo(first.incarnation());
  }

  @Test
  void aFeatureOfALaterReleaseIsRejected() throws IOException {
    claim().keep(Set.of(Feature.CONTENT_TYPE), directory);
    Path file = directory.resolve("identity");
    String later = Files.readString(file).replace("content-type", "content-type,time-travel");
    Files.writeString(file, later);
    rejects(
        topology("kvorum", "a", "b"),
        A,
        "lacks the feature time-travel, which is active in the cluster; run a release that has it");
    assertThat(file).content().isEqualTo(later);
  }

  @Test
  void aPathThatIsNoDirectoryIsNamed() throws IOException {
    directory = temporary.resolve("file");
    Files.writeString(directory, "x");
    assertThatThrownBy(this::claim)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the data directory " + directory + " cannot be used");
  }
}
