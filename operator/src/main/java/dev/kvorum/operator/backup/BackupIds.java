package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.resources.Digests;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The id of a backup in the object store: the time of its object, and a hash of its uid. */
final class BackupIds {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int HASH_DIGITS = 8;

  private BackupIds() {}

  /** The same for the same object: a Job that is created again goes on with the same backup. */
  static String of(KvorumBackup backup) {
    return TIME.format(Instant.parse(backup.getMetadata().getCreationTimestamp()))
        + "-"
        + Digests.sha256(backup.getMetadata().getUid()).substring(0, HASH_DIGITS);
  }
}
