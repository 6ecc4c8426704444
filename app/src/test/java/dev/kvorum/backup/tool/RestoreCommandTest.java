package dev.kvorum.backup.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupManifest.Part;
import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoreUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RestoreCommandTest {
  private static final Instant TIME = Instant.EPOCH;
  private static final String ID = "20261128T181239Z-0a1b2c3d";
  private static final String OTHER = "20261128T181239Z-0a1b2c3e";
  private static final List<String> NAMES = List.of("a", "b", "c");

  @TempDir private Path directory;
  private final List<FakeNode> nodes = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    for (String name : NAMES) {
      nodes.add(new FakeNode(name, NAMES));
    }
    List<Part> parts = new ArrayList<>();
    try (ObjectStore store =
        ObjectStore.open(StoreUrl.parse("file://" + directory), Credentials.NONE)) {
      for (String name : List.of("a", "b")) {
        byte[] part =
            Manifests.encode(
                new MemberManifest(
                    1, ID, "old", name, "1", 1, true, TIME, TIME, 0, 0, 1, 0, 0, List.of()));
        store.put(BackupNames.part("old", ID, name), part);
        parts.add(new Part(name, Manifests.sha256(part), 0));
      }
      List<Zoned> members = List.of(new Zoned("a", ""), new Zoned("b", ""));
      BackupManifest manifest =
          new BackupManifest(
              1,
              ID,
              "old",
              "old",
              null,
              "0",
              1,
              1,
              List.of(),
              members,
              TIME,
              TIME,
              0,
              0,
              List.of(1),
              0,
              0,
              parts);
      store.put(BackupNames.manifest("old", ID), Manifests.encode(manifest));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(FakeNode::close);
  }

  private int restore() {
    CommandLine command = KvorumBackup.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(
        "restore",
        "--store=file://" + directory,
        "--timeout=PT20S",
        nodes.stream().map(FakeNode::address).collect(Collectors.joining(",", "--nodes=", "")));
  }

  @Test
  void allNodesArePreparedAndFinished() {
    assertThat(restore()).as(err::toString).isZero();
    assertThat(out.toString()).contains("Backup " + ID + " is restored: 2 records of 2 members");
    assertThat(nodes).extracting(FakeNode::finished).containsOnly(ID);
    assertThat(nodes.getFirst().requests()).containsExactly("POST", "POST", "DELETE");
    assertThat(nodes.getLast().requests()).as("no source").containsExactly("POST", "DELETE");
  }

  @Test
  void aNodeThatStartsIsWaitedFor() {
    nodes.getLast().ignore(5);
    assertThat(restore()).as(err::toString).isZero();
    assertThat(nodes).extracting(FakeNode::finished).containsOnly(ID);
  }

  @Test
  void nodesThatTheTopologyHasPreparedAreRestored() {
    nodes.forEach(node -> node.order(ID));
    assertThat(restore()).as(err::toString).isZero();
    assertThat(nodes).extracting(FakeNode::finished).containsOnly(ID);
  }

  @Test
  void aRestoreThatAllNodesHaveFinishedIsRepeatedWithoutAnOrder() {
    assertThat(restore()).isZero();
    List<Integer> before = nodes.stream().map(node -> node.requests().size()).toList();
    nodes.forEach(node -> node.reject("this node has records; a backup needs an empty cluster"));
    assertThat(restore()).as(err::toString).isZero();
    assertThat(nodes).extracting(node -> node.requests().size()).isEqualTo(before);
    assertThat(err.toString()).contains("a: has finished this restore before");
  }

  @Test
  void aRestoreThatSomeNodesHaveFinishedIsCompleted() {
    assertThat(restore()).isZero();
    nodes.getFirst().reject("this node has records; a backup needs an empty cluster");
    nodes.getLast().order(ID);
    nodes.get(1).order(ID);
    assertThat(restore()).as(err::toString).isZero();
    assertThat(nodes).extracting(FakeNode::current).containsOnly("");
    assertThat(nodes.getFirst().requests()).containsExactly("POST", "POST", "DELETE");
    assertThat(nodes.get(1).requests()).hasSize(6);
  }

  @Test
  void aNodeThatRestoresAnotherBackupIsNotDone() {
    assertThat(restore()).isZero();
    nodes.getFirst().order(OTHER);
    nodes.getFirst().reject("backup " + OTHER + " is being restored");
    assertThat(restore()).isEqualTo(3);
    assertThat(err.toString()).contains("backup " + OTHER + " is being restored");
  }

  @Test
  void nodesOfANewRestoreAreTakenBackIfOneRejects() {
    nodes.getLast().reject("this node has records; a backup needs an empty cluster");
    assertThat(restore()).isEqualTo(3);
    assertThat(nodes.getFirst().requests()).containsExactly("POST", "UNDO");
    assertThat(nodes).extracting(FakeNode::current).containsOnly("");
    assertThat(nodes).extracting(FakeNode::finished).as("nothing was restored").containsOnly("");
  }

  @Test
  void nodesThatTheTopologyHasPreparedStaySoIfOneRejects() {
    nodes.forEach(node -> node.order(ID));
    nodes.getLast().reject("this node's clock is 20000 ms behind the newest record of the backup");
    assertThat(restore()).isEqualTo(3);
    assertThat(nodes).extracting(FakeNode::current).containsOnly(ID);
  }
}
