package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupManifest.Part;
import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.BackupNames.Found;
import dev.kvorum.backup.manifest.Completeness;
import dev.kvorum.backup.manifest.Coverage;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides whether members' parts are a complete backup, and writes its manifest, the last object.
 */
final class Creation {
  private final Archive archive;
  private final List<NodeState> states;
  private final Optional<String> series;

  /**
   * The creation of a backup.
   *
   * @param states of the nodes that respond
   * @param series that the backup belongs to; empty if to none
   */
  Creation(Archive archive, List<NodeState> states, Optional<String> series) {
    this.archive = archive;
    this.states = states;
    this.series = series;
  }

  private NodeState first() {
    return states.getFirst();
  }

  /** Checks that these nodes can make a backup together. */
  void check() {
    NodeState.check(states);
    List<String> names = states.stream().map(NodeState::name).toList();
    if (!areEnough(names)) {
      throw KvorumBackup.failed(
          "a majority of the replicas of each slot is needed; there are "
              + names
              + " of "
              + first().members().stream().map(Zoned::name).toList());
    }
  }

  /** Number of copies of a write by default. */
  private int copies() {
    return Math.min(first().replication(), first().members().size());
  }

  /** Whether parts of these members can have every write acknowledged by default. */
  boolean areEnough(Collection<String> members) {
    Set<MemberId> present = members.stream().map(MemberId::new).collect(Collectors.toSet());
    return Coverage.covered(first().topology(), present).contains(copies());
  }

  /** The backup, if it is complete already. */
  Optional<BackupManifest> made(String id) throws IOException {
    Optional<BackupManifest> made = archive.readIfThere(new Found(first().cluster(), id));
    if (made.isPresent() && !made.get().isOf(series)) {
      throw KvorumBackup.wrong("backup " + id + " is complete, but not of this series");
    }
    return made;
  }

  /** Writes the manifest. */
  BackupManifest complete(String id) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<MemberManifest> manifests = new ArrayList<>();
    for (Zoned member : first().members()) {
      Optional<byte[]> bytes = archive.part(first().cluster(), id, member.name());
      if (bytes.isPresent()) {
        String name = BackupNames.part(first().cluster(), id, member.name());
        MemberManifest manifest = Manifests.decode(MemberManifest.class, bytes.get(), name);
        if (!manifest.id().equals(id)) {
          throw new IOException(name + " is that of another backup, " + manifest.id());
        }
        manifests.add(manifest);
        parts.add(new Part(member.name(), Manifests.sha256(bytes.get()), manifest.bytes()));
      }
    }
    Optional<String> objection = Completeness.objection(first().epoch(), manifests);
    if (objection.isPresent()) {
      throw KvorumBackup.failed("the backup is not complete: " + objection.get());
    }
    List<Integer> covered = Completeness.covered(first().topology(), manifests);
    if (!covered.contains(copies())) {
      throw KvorumBackup.failed(
          "the backup is not complete: too few members had all their records");
    }
    List<Missing> missing = archive.missing(first().cluster(), Archive.files(manifests));
    if (!missing.isEmpty()) {
      throw KvorumBackup.failed("the backup is not complete: " + missing.getFirst());
    }
    BackupManifest made = manifest(id, parts, manifests, covered);
    archive.store().put(BackupNames.manifest(first().cluster(), id), Manifests.encode(made));
    return made;
  }

  private BackupManifest manifest(
      String id, List<Part> parts, List<MemberManifest> made, List<Integer> covered) {
    NodeState cluster = first();
    return new BackupManifest(
        Manifests.FORMAT,
        id,
        cluster.cluster(),
        cluster.clusterName(),
        series.orElse(null),
        cluster.version(),
        cluster.epoch(),
        cluster.replication(),
        cluster.features(),
        cluster.members(),
        made.stream().map(MemberManifest::began).min(Comparator.naturalOrder()).orElse(Instant.MIN),
        made.stream().map(MemberManifest::ended).max(Comparator.naturalOrder()).orElse(Instant.MIN),
        made.stream().mapToLong(MemberManifest::newestStamp).max().orElse(0),
        made.stream().mapToLong(MemberManifest::purgedUpTo).max().orElse(0),
        covered,
        made.stream().mapToLong(MemberManifest::bytes).sum(),
        made.stream().mapToLong(MemberManifest::uploadedBytes).sum(),
        parts);
  }
}
