package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.StoreUrl;
import dev.kvorum.backup.objectstore.VersityServer;
import dev.kvorum.blackbox.BackupCommand.Result;
import dev.kvorum.blackbox.BackupCommand.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
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

  /** The nodes' own secrets, which the command does not send. */
  private void writeSecrets(Path secrets, Credentials credentials, Path key) throws IOException {
    Files.writeString(secrets.resolve("AWS_ACCESS_KEY_ID"), credentials.accessKeyId());
    Files.writeString(secrets.resolve("AWS_SECRET_ACCESS_KEY"), credentials.secretAccessKey());
    Files.copy(key, secrets.resolve("backup.key"), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void secretsAreReplacedAndTheServerMayBeAwayForAWhile() throws IOException, InterruptedException {
    Path secrets = Files.createDirectory(directory.resolve("secrets"));
    try (VersityServer server = VersityServer.start(directory);
        Cluster cluster =
            new Cluster(
                Files.createDirectory(directory.resolve("source")),
                Map.of(
                    "kvorum.backup.rate-max",
                    "1MB",
                    "kvorum.backup.secrets-dir",
                    secrets.toString()))) {
      StoreUrl.Bucket bucket = server.newBucket();
      Credentials right = server.credentials();
      Credentials wrong = new Credentials(right.accessKeyId(), "wrong-secret", Optional.empty());
      Path key = directory.resolve("key");
      assertThat(BackupCommand.keygen(key)).isZero();
      BackupCommand backup = new BackupCommand(server.url(bucket), directory);
      backup.with("--key-file=" + key);
      backup.with(wrong);
      Result denied = backup.run("create", BackupCommand.nodes(cluster));
      assertThat(denied.code()).isEqualTo(3);
      assertThat(denied.err()).contains("AWS_ACCESS_KEY_ID").doesNotContain("wrong-secret");

      backup.with(right);
      writeSecrets(secrets, wrong, key);
      Result rejected = backup.run("create", "--node-credentials", BackupCommand.nodes(cluster));
      assertThat(rejected.code()).isEqualTo(3);
      assertThat(rejected.err()).contains("too few members").doesNotContain("wrong-secret");

      writeSecrets(secrets, right, key);
      Writers writers = new Writers(cluster, "s3");
      writers.awaitAcknowledged(1000);
      Map<String, String> acknowledged = writers.stop();
      String id = "20261128T181239Z-0a1b2c3d";
      String[] create = {
        "create", "--id=" + id, "--node-credentials", BackupCommand.nodes(cluster)
      };
      Running running = backup.start(create);
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
      Result again = backup.run(create);
      assertThat(again.code()).isZero();
      assertThat(again.out()).as("reported again").isEqualTo(created.out());
      assertThat(backup.run("verify").code()).isZero();
      assertThat(backup.extract(id, "s3-")).containsAllEntriesOf(acknowledged);
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
