package dev.kvorum.backup.manifest;

import java.time.Instant;
import java.util.List;

/**
 * One member's part of a backup: its checkpoint, which is complete in the object store once this is
 * there.
 *
 * @param format {@link Manifests#FORMAT}
 * @param id of the backup
 * @param cluster id of the cluster
 * @param incarnation of the member's data directory, in hexadecimal digits
 * @param epoch of the topology under which the checkpoint was made
 * @param votes whether the member had all its records: only then it counts for a majority
 * @param began time before the checkpoint, by the member's clock
 * @param ended time after it
 * @param newestStamp no record has a newer stamp
 * @param purgedUpTo newest stamp of the tombstones that the member had removed
 * @param tombstoneAgeMillis how long the member keeps a tombstone that all members have
 * @param bytes of all files
 * @param uploadedBytes of those files that the object store did not have yet
 */
public record MemberManifest(
    int format,
    String id,
    String cluster,
    String member,
    String incarnation,
    long epoch,
    boolean votes,
    Instant began,
    Instant ended,
    long newestStamp,
    long purgedUpTo,
    long tombstoneAgeMillis,
    long bytes,
    long uploadedBytes,
    List<BackupFile> files) {
  public MemberManifest {
    files = List.copyOf(files);
  }
}
