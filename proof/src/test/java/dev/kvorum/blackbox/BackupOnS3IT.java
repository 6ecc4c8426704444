package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.objectstore.StoreUrl;
import dev.kvorum.backup.objectstore.VersityServer;
import dev.kvorum.blackbox.BackupCommand.Result;
import dev.kvorum.blackbox.BackupCommand.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A backup of three nodes on an S3 server; skipped where none is installed. */
@Tag("chaos")
@ExtendWith(PrintsNodeLogs.class)
class BackupOnS3IT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration AWAY = Duration.ofSeconds(3);

  @TempDir private Path directory;

  private static Map<String, String> credentials(String id, String secret) {
    return Map.of("AWS_ACCESS_KEY_ID", id, "AWS_SECRET_ACCESS_KEY", secret);
  }

  @Test
  void credentialsMayBeWrongAndTheServerAwayForAWhile() throws IOException, InterruptedException {
    try (VersityServer server = VersityServer.start(directory);
        Cluster cluster =
            new Cluster(
                Files.createDirectory(directory.resolve("source")),
                Map.of("kvorum.backup.rate-max", "1MB"))) {
      StoreUrl.Bucket bucket = server.newBucket();
      String id = server.credentials().accessKeyId();
      BackupCommand backup = new BackupCommand(server.url(bucket), directory);
      backup.with(credentials(id, "wrong-secret"));
      Result denied = backup.run("create", BackupCommand.nodes(cluster));
      assertThat(denied.code()).isEqualTo(3);
      assertThat(denied.err()).contains("AWS_ACCESS_KEY_ID").doesNotContain("wrong-secret");

      backup.with(credentials(id, server.credentials().secretAccessKey()));
      Writers writers = new Writers(cluster, "s3");
      writers.awaitAcknowledged(1000);
      Map<String, String> acknowledged = writers.stop();
      Running running = backup.start("create", BackupCommand.nodes(cluster));
      Path objects = server.directory(bucket).resolve("some/prefix/objects");
      Awaitility.await("a node uploads").atMost(PATIENCE).until(() -> Files.exists(objects));
      server.stop();
      Awaitility.await("nodes do not give up")
          .atMost(PATIENCE)
          .during(AWAY)
          .until(() -> running.process().isAlive());
      server.restart();
      Result created = running.await();
      assertThat(created.code()).as(created.err()).isZero();
      assertThat(backup.run("verify").code()).isZero();
      assertThat(backup.extract("latest", "s3-")).containsAllEntriesOf(acknowledged);
      try (Cluster two = backup.target("two", 2)) {
        Result restored = backup.run("restore", BackupCommand.nodes(two));
        assertThat(restored.code()).as(restored.err()).isZero();
        Result compared = backup.compare(cluster, two);
        assertThat(compared.code()).as(compared.err()).isZero();
      }
      assertThat(backup.run("prune", "--keep-last=1").code()).isZero();
    }
  }
}
