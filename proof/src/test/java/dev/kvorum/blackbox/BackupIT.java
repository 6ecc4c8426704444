package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.BackupCommand.Result;
import dev.kvorum.blackbox.BackupCommand.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Backups of three nodes on a volume, and their restore into clusters of other sizes. */
@Tag("chaos")
@ExtendWith(PrintsNodeLogs.class)
class BackupIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static Cluster cluster;

  @TempDir private Path own;
  private Path archive;
  private BackupCommand backup;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        new Cluster(
            Files.createDirectory(directory.resolve("source")),
            // Slow enough to do something meanwhile.
            Map.of("kvorum.backup.rate-max", "2MB", "kvorum.storage.blob-min", "64B"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void begin() {
    archive = own.resolve("archive");
    backup = new BackupCommand("file://" + archive, own);
  }

  private static Client client(int node) {
    return cluster.node(node).client();
  }

  /** The object of a table that a backup has. */
  private Path table(String id) throws IOException {
    Path part = archive.resolve("backups/kvorum").resolve(id).resolve("members/kvorum-0.json");
    for (JsonNode file : JsonMapper.shared().readTree(Files.readAllBytes(part)).get("files")) {
      if (file.get("name").asString().endsWith(".sst")) {
        return archive.resolve("objects/kvorum").resolve(file.get("object").asString());
      }
    }
    throw new AssertionError("no table in " + id);
  }

  @Test
  void aBackupHasWhatWasAcknowledgedBefore() throws IOException, InterruptedException {
    Writers writers = new Writers(cluster, "before");
    writers.awaitAcknowledged(500);
    client(0).put("deleted", "value");
    Map<String, String> acknowledged = writers.acknowledged();
    String first = backup.create(cluster);
    writers.stop();
    assertThat(backup.extract(first, "before-")).containsAllEntriesOf(acknowledged);

    client(1).delete("deleted");
    String second = backup.create(cluster);
    assertThat(backup.extract(second, "deleted")).isEmpty();
    assertThat(backup.extract(first, "deleted")).containsEntry("deleted", "value");
    assertThat(backup.run("list").out().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith(first))
        .last()
        .asString()
        .startsWith(second);
    assertThat(backup.run("show").out()).contains("\"id\" : \"" + second + "\"", "[ 1, 2, 3 ]");
    assertThat(backup.run("verify").code()).isZero();

    client(2).put("written since", "value");
    Path report = own.resolve("report");
    Result drill =
        backup.run(
            "verify",
            "--level=drill",
            "--settled=PT0S",
            "--report=" + report,
            BackupCommand.source(cluster));
    assertThat(drill.code()).as(drill.err()).isZero();
    assertThat(drill.out()).contains("is whole", "written since: 1");
    assertThat(report).content().contains("\"level\":\"drill\"", "written since: 1");
    Result since =
        backup.run("verify", "--level=drill", "--id=" + first, BackupCommand.source(cluster));
    assertThat(since.code()).as(since.err()).isZero();
    assertThat(since.out()).contains("deleted or expired since: 1");

    Result daily = backup.run("create", "--series=daily", BackupCommand.nodes(cluster));
    assertThat(daily.code()).as(daily.err()).isZero();
    backup.create(cluster);
    String id = daily.out().split(" ", -1)[1];
    assertThat(backup.run("show", "--series=daily").out()).contains(id, "\"series\" : \"daily\"");
    Result other =
        backup.run("create", "--series=weekly", "--id=" + id, BackupCommand.nodes(cluster));
    assertThat(other.code()).as(other.out()).isEqualTo(2);
    assertThat(other.err()).contains("is complete, but not of this series");
  }

  private static int count(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? 0 : names.length;
  }

  @Test
  void damageIsFound() throws IOException, InterruptedException {
    client(0).put("key", "value");
    String older = backup.create(cluster);
    client(0).put("key", "other value");
    String id = backup.create(cluster);

    Path object = table(id);
    byte[] bytes = Files.readAllBytes(object);
    bytes[50] ^= 1;
    Files.write(object, bytes);
    Result flipped = backup.run("verify");
    assertThat(flipped.code()).isEqualTo(3);
    assertThat(flipped.err()).contains(String.valueOf(object.getFileName()), "is damaged");
    assertThat(backup.run("verify", "--level=presence").code()).as("its length is right").isZero();

    Files.delete(object);
    Result missing = backup.run("verify", "--level=presence");
    assertThat(missing.code()).isEqualTo(3);
    assertThat(missing.err()).contains("is missing");
    backup.create(cluster);
    assertThat(backup.run("verify").code()).as("it was uploaded again").isZero();

    Path backups = archive.resolve("backups/kvorum");
    Path part = backups.resolve(id).resolve("members/kvorum-1.json");
    Files.delete(part);
    Files.copy(backups.resolve(older).resolve("members/kvorum-1.json"), part);
    Result old = backup.run("verify", "--id=" + id);
    assertThat(old.code()).isEqualTo(3);
    assertThat(old.err()).contains("is not the one that was backed up");

    Files.delete(backups.resolve(older).resolve("manifest.json"));
    assertThat(backup.run("extract", "--id=" + older).err())
        .contains("no complete backup " + older);
  }

  @Test
  void membersMayBeMissingAndDieAsLongAsAMajorityIsThere()
      throws IOException, InterruptedException {
    Writers writers = new Writers(cluster, "missing");
    writers.awaitAcknowledged(500);
    Map<String, String> acknowledged = writers.stop();
    cluster.node(2).kill();
    Result two = backup.run("create", BackupCommand.nodes(cluster));
    assertThat(two.code()).isZero();
    assertThat(two.out()).contains("2 of 3 members");
    assertThat(two.err()).contains("Without it", "from=[3] only");
    assertThat(backup.extract("latest", "missing-")).containsAllEntriesOf(acknowledged);
    cluster.node(1).kill();
    Result one = backup.run("create", BackupCommand.nodes(cluster));
    assertThat(one.code()).isEqualTo(3);
    assertThat(one.err()).contains("a majority of the replicas of each slot is needed");
    cluster.launchStopped();
    cluster.awaitComplete();

    Path manifests = archive.resolve("backups/kvorum");
    int before = count(manifests);
    Running running = backup.start("create", BackupCommand.nodes(cluster));
    Awaitility.await("a node uploads")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> count(manifests) > before);
    cluster.node(0).kill();
    cluster.launchStopped();
    cluster.awaitComplete();
    Result killed = running.await();
    assertThat(killed.code()).as(killed.err()).isZero();
    assertThat(killed.out()).contains("3 of 3 members");
    assertThat(backup.run("verify").code()).isZero();

    int more = count(manifests);
    Running late = backup.start("create", "--timeout=PT15S", BackupCommand.nodes(cluster));
    Awaitility.await("a node uploads")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> count(manifests) > more);
    cluster.node(1).kill();
    Result without = late.await();
    assertThat(without.code()).as(without.err()).isZero();
    assertThat(without.out()).contains("2 of 3 members");
    assertThat(without.err()).contains("kvorum-1: its part was not complete within PT15S");
    cluster.launchStopped();
    cluster.awaitComplete();
  }

  @Test
  void aBackupIsRestoredIntoAnotherNumberOfMembers() throws IOException, InterruptedException {
    Writers writers = new Writers(cluster, "restored");
    writers.awaitAcknowledged(1000);
    client(0).put("kept", "value");
    client(0).put("gone", "value");
    client(1).delete("gone");
    client(2).put("limited", new byte[] {1}, "&ttl=3600000");
    Map<String, String> acknowledged = writers.stop();
    Path key = own.resolve("key");
    assertThat(BackupCommand.keygen(key)).isZero();
    backup.with("--key-file=" + key);
    String id = backup.create(cluster);
    Path plain = Files.createDirectory(own.resolve("plain"));
    Result unreadable = new BackupCommand("file://" + archive, plain).run("show");
    assertThat(unreadable.code()).as(unreadable.out()).isEqualTo(3);

    try (Cluster one = backup.target("one", 1)) {
      assertThat(restore(one).code()).isZero();
      assertThat(backup.compare(cluster, one).code()).isZero();
      assertRestored(one, acknowledged);
      // Changes to the copy are as if the backup or the cluster lacked something.
      String missing = acknowledged.keySet().iterator().next();
      one.node(0).client().delete(missing);
      Result different = backup.compare(cluster, one);
      assertThat(different.code()).isEqualTo(3);
      assertThat(different.err())
          .contains(missing + " was written before the backup and is not in it")
          .contains("kept is in the backup with a newer version than in the cluster")
          .contains("differs: missing: 1, lost: 1");
      Result again = restore(one);
      assertThat(again.code()).isZero();
      assertThat(again.err()).contains("has finished this restore before");
      Result full = restore(cluster);
      assertThat(full.code()).isEqualTo(3);
      assertThat(full.err()).contains("needs an empty cluster");
    }
    try (Cluster five = backup.target("five", 5)) {
      Running running = backup.start("restore", "--id=" + id, BackupCommand.nodes(five));
      Awaitility.await("a node restores")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .ignoreException(UncheckedIOException.class)
          .until(() -> five.node(1).client().get("kept").statusCode() == 503);
      five.node(1).kill();
      five.launchStopped();
      Result killed = running.await();
      assertThat(killed.code()).as(killed.err()).isZero();
      five.awaitComplete();
      assertThat(five.node(4).client().get("kept").headers().firstValue("etag"))
          .as("the original version")
          .isEqualTo(client(0).get("kept").headers().firstValue("etag"));
      assertRestored(five, acknowledged);
    }
  }

  private Result restore(Cluster target) throws IOException, InterruptedException {
    return backup.run("restore", BackupCommand.nodes(target));
  }

  private static void assertRestored(Cluster target, Map<String, String> values) {
    values.forEach((key, value) ->
        assertThat(Client.text(target.node(0).client().get(key))).as(key).isEqualTo(value));
    assertThat(target.node(0).client().get("gone").statusCode()).isEqualTo(404);
    assertThat(target.node(0).client().get("limited").headers().firstValue("kvorum-expires"))
        .isPresent();
    assertThat(target.node(0).client().put("kept", "newer").statusCode()).isEqualTo(201);
    assertThat(Client.text(target.node(0).client().get("kept"))).isEqualTo("newer");
  }
}
