package dev.kvorum.backup.manifest;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A complete backup. It is written last: without it there is no backup.
 *
 * @param format {@link Manifests#FORMAT}
 * @param cluster id of the cluster
 * @param clusterName its name for users
 * @param series the series of backups that it belongs to; null if it belongs to none
 * @param version release of the node that made it
 * @param epoch of the topology under which all checkpoints were made
 * @param replication default number of copies
 * @param features what records and marks may use
 * @param topology members of the cluster then
 * @param began every write acknowledged before is in the backup, in that version or a newer one
 * @param ended nothing was written after
 * @param newestStamp no record has a newer stamp
 * @param purgedUpTo newest stamp of the tombstones that were removed
 * @param covered numbers of copies ({@code from}) whose acknowledged writes are in it
 * @param bytes of all files, counted once for each member that has them
 * @param uploadedBytes of those files that the object store did not have yet
 * @param parts of the members that made a checkpoint
 */
public record BackupManifest(
    int format,
    String id,
    String cluster,
    String clusterName,
    @Nullable String series,
    String version,
    long epoch,
    int replication,
    List<String> features,
    List<Zoned> topology,
    Instant began,
    Instant ended,
    long newestStamp,
    long purgedUpTo,
    List<Integer> covered,
    long bytes,
    long uploadedBytes,
    List<Part> parts) {
  public BackupManifest {
    features = List.copyOf(features);
    topology = List.copyOf(topology);
    covered = List.copyOf(covered);
    parts = List.copyOf(parts);
  }

  /** Whether it is one of those that are meant: of a series, or all if none is wanted. */
  public boolean isOf(Optional<String> wanted) {
    return wanted.isEmpty() || wanted.get().equals(series);
  }

  /** A member of the cluster and its failure domain. */
  public record Zoned(String name, String zone) {}

  /**
   * A member's part.
   *
   * @param sha256 of its manifest, in hexadecimal digits
   */
  public record Part(String member, String sha256, long bytes) {}
}
