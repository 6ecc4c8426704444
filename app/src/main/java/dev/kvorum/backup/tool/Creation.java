package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupManifest.Part;
import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Coverage;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.tool.MemberOrder.NodeState;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides whether members' parts are a complete backup, and writes its manifest, the last object.
 */
final class Creation {
  private final Archive archive;
  private final List<NodeState> states;

  /**
   * The creation of a backup.
   *
   * @param states of the nodes that respond
   */
  Creation(Archive archive, List<NodeState> states) {
    this.archive = archive;
    this.states = states;
  }

  private NodeState first() {
    return states.getFirst();
  }

  /** Checks that these nodes can make a backup together. */
  void check() {
    if (states.isEmpty()) {
      throw KvorumBackup.failed("no node responds");
    }
    for (NodeState state : states) {
      if (!state.cluster().equals(first().cluster())) {
        throw KvorumBackup.wrong(
            first().name()
                + " is of cluster "
                + first().cluster()
                + ", "
                + state.name()
                + " of "
                + state.cluster());
      }
      if (state.epoch() != first().epoch() || !state.phase().equals("STABLE")) {
        throw KvorumBackup.failed(
            "a change of the members is under way; try again once it is complete");
      }
    }
    List<String> names = states.stream().map(NodeState::name).toList();
    if (!areEnough(names)) {
      throw KvorumBackup.failed(
          "a majority of the replicas of each slot is needed; there are "
              + names
              + " of "
              + first().members().stream().map(Zoned::name).toList());
    }
  }

  private List<Integer> covered(Collection<String> members) {
    return Coverage.covered(
        first().topology(), members.stream().map(MemberId::new).collect(Collectors.toSet()));
  }

  /** Whether parts of these members can have every write acknowledged by default. */
  boolean areEnough(Collection<String> members) {
    return covered(members).contains(Math.min(first().replication(), first().members().size()));
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
        if (manifest.epoch() != first().epoch() || !manifest.id().equals(id)) {
          throw new IOException(name + " is of epoch " + manifest.epoch() + " of " + manifest.id());
        }
        manifests.add(manifest);
        parts.add(new Part(member.name(), Manifests.sha256(bytes.get()), manifest.bytes()));
      }
    }
    List<String> voting =
        manifests.stream().filter(MemberManifest::votes).map(MemberManifest::member).toList();
    if (!areEnough(voting)) {
      throw KvorumBackup.failed(
          "the backup is not complete: only " + voting + " had all their records");
    }
    checkSpread(manifests);
    List<String> missing = archive.missing(first().cluster(), manifests);
    if (!missing.isEmpty()) {
      throw KvorumBackup.failed("the backup is not complete: " + missing.getFirst());
    }
    BackupManifest made = manifest(id, parts, manifests, covered(voting));
    archive.store().put(BackupNames.manifest(first().cluster(), id), Manifests.encode(made));
    return made;
  }

  /**
   * One checkpoint may have a record whose tombstone the members of later ones have removed. They
   * keep tombstones for some hours after all have them; so these cuts are too close together.
   */
  private static void checkSpread(List<MemberManifest> made) {
    long first = made.stream().mapToLong(one -> one.began().toEpochMilli()).min().orElse(0);
    long last = made.stream().mapToLong(one -> one.ended().toEpochMilli()).max().orElse(0);
    long allowed = made.stream().mapToLong(MemberManifest::tombstoneAgeMillis).min().orElse(0) / 2;
    if (last - first > allowed) {
      throw KvorumBackup.failed(
          "the members' checkpoints are "
              + Duration.ofMillis(last - first)
              + " apart; half of kvorum.repair.tombstone-age-min is allowed, "
              + Duration.ofMillis(allowed));
    }
  }

  private BackupManifest manifest(
      String id, List<Part> parts, List<MemberManifest> made, List<Integer> covered) {
    NodeState cluster = first();
    return new BackupManifest(
        Manifests.FORMAT,
        id,
        cluster.cluster(),
        cluster.clusterName(),
        cluster.version(),
        cluster.epoch(),
        cluster.replication(),
        cluster.features(),
        cluster.members(),
        made.stream().map(MemberManifest::began).min(Comparator.naturalOrder()).orElse(Instant.MIN),
        made.stream().map(MemberManifest::ended).max(Comparator.naturalOrder()).orElse(Instant.MIN),
        made.stream().mapToLong(MemberManifest::newestStamp).max().orElse(0),
        made.stream().mapToLong(MemberManifest::removedUpTo).max().orElse(0),
        covered,
        made.stream().mapToLong(MemberManifest::bytes).sum(),
        made.stream().mapToLong(MemberManifest::uploadedBytes).sum(),
        parts);
  }
}
