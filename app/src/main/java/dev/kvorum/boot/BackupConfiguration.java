package dev.kvorum.boot;

import static dev.kvorum.metrics.PolledMeter.BACKUP_COMPLETED;
import static dev.kvorum.metrics.PolledMeter.BACKUP_FAILED;
import static dev.kvorum.metrics.PolledMeter.BACKUP_PINNED;
import static dev.kvorum.metrics.PolledMeter.BACKUP_REUSED;
import static dev.kvorum.metrics.PolledMeter.BACKUP_UPLOADED;

import dev.kvorum.backup.BackupCounts;
import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.BackupMember;
import dev.kvorum.backup.BackupSettings;
import dev.kvorum.backup.BackupStatus;
import dev.kvorum.backup.DiskPressure;
import dev.kvorum.backup.NodeBackups;
import dev.kvorum.backup.objectstore.NodeSecrets;
import dev.kvorum.backup.restore.NodeRestore;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.metrics.Meters;
import dev.kvorum.node.BackgroundPace;
import dev.kvorum.node.Node;
import dev.kvorum.node.NodeBackupSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A node's part in backups and restores. */
@Configuration(proxyBeanMethods = false)
public class BackupConfiguration {
  /** Closed before the node, whose store it reads. */
  @Bean(destroyMethod = "close")
  NodeBackups nodeBackups(Node node, NodeSettings settings, Meters meters) {
    BackupSettings backup = settings.properties().backup();
    Path directory = settings.dataDir();
    NodeBackups backups =
        new NodeBackups(
            backup,
            new BackupMember(
                node.topology().get().clusterId(),
                node.self().id().name(),
                Long.toHexString(node.self().incarnation()),
                settings.properties().repair().tombstoneAgeMin()),
            new NodeBackupSource(node.core(), node.store(), node.store()::checkpoint),
            directory.resolve("backup"),
            new DiskPressure(
                node.store()::diskFreeBytes,
                settings.properties().storage().diskFreeMinBytes(),
                (long) (backup.pinMax() * totalBytes(directory))),
            new BackgroundPace(node.core().background(), backup));
    show(backups, meters);
    return backups;
  }

  private static long totalBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getTotalSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void show(NodeBackups backups, Meters meters) {
    BackupCounts counts = backups.counts();
    meters.show(BACKUP_COMPLETED, counts::completedSeconds);
    meters.show(BACKUP_UPLOADED, counts::uploadedBytes);
    meters.show(BACKUP_REUSED, counts::reusedBytes);
    meters.show(BACKUP_PINNED, () -> backups.status().map(BackupStatus::pinnedBytes).orElse(0L));
    for (Reason reason : Reason.values()) {
      meters.show(BACKUP_FAILED, () -> counts.failures(reason), "reason", reason.label());
    }
  }

  /** Closed before the node, whose store it reads. */
  @Bean(destroyMethod = "close")
  NodeRestore nodeRestore(Node node, NodeSettings settings) {
    return new NodeRestore(
        node.core().background(),
        node.restores(),
        settings.storage(),
        settings.dataDir().resolve("restore"),
        settings.properties().backup().restoreWindow());
  }

  @Bean
  NodeSecrets backupSecrets(NodeSettings settings) {
    String directory = settings.properties().backup().secretsDir();
    return new NodeSecrets(
        Optional.of(directory).filter(it -> !it.isEmpty()).map(Path::of), System.getenv());
  }

  @Bean
  RestoreEndpoint restoreEndpoint(NodeRestore restore, NodeSecrets secrets) {
    return new RestoreEndpoint(restore, secrets);
  }

  @Bean
  BackupEndpoint backupEndpoint(NodeBackups backups, NodeSecrets secrets) {
    return new BackupEndpoint(backups, secrets);
  }
}
