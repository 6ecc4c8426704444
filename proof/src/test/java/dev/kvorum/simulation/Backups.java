package dev.kvorum.simulation;

import dev.kvorum.backup.BackupException;
import dev.kvorum.backup.BackupSource;
import dev.kvorum.backup.Checkpoint;
import dev.kvorum.backup.manifest.Completeness;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.node.NodeBackupSource;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.KeyHistory.Floor;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Backups amid faults. Each member makes its checkpoint at its own time, again after a crash. One
 * that is complete must have what was acknowledged before it began. Draws numbers of its own, so
 * that nothing else in a run depends on it.
 */
final class Backups {
  private static final long PAUSE_MILLIS = 3000;
  private static final long RETRY_MILLIS = 150;
  private static final long END_MILLIS = 4000;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private int count;
  private int complete;
  private boolean over;

  /** One backup. */
  private final class Backup {
    private final Path name = Path.of("backup-" + count++);
    private final Topology topology;
    private final Map<HotKey, Floor> floors = new HashMap<>();
    private final List<MemberManifest> parts = new ArrayList<>();
    private final List<NavigableMap<Key, Versioned>> checkpoints = new ArrayList<>();
    private boolean ended;

    Backup(Topology topology) {
      this.topology = topology;
      cluster.profile.keys().stream()
          .filter(HotKey::strict)
          .forEach(hot -> floors.put(hot, cluster.invariants.of(hot.key()).floor()));
    }

    void begin() {
      for (SimNode node : cluster.nodes()) {
        if (topology.member(node.id).isPresent()) {
          later(random.nextLong(PAUSE_MILLIS), () -> order(node));
        }
      }
      later(END_MILLIS, this::end);
    }

    private void order(SimNode node) {
      SimProcess process = node.process();
      if (ended || over) {
        return;
      }
      // A process that ends before it does so is ordered again.
      later(
          RETRY_MILLIS,
          () -> {
            if (parts.stream().noneMatch(part -> part.member().equals(node.id.name()))) {
              order(node);
            }
          });
      if (process != null) {
        process.loop().execute(() -> take(node, process));
      }
    }

    private void take(SimNode node, SimProcess process) {
      boolean isMade = parts.stream().anyMatch(part -> part.member().equals(node.id.name()));
      if (ended || over || isMade || node.disk.isCorrupted()) {
        return;
      }
      try {
        Checkpoint made = Checkpoint.take(source(process), topology.epoch(), name);
        parts.add(manifest(node, made));
        NavigableMap<Key, Versioned> copied = node.disk.written().checkpoints.remove(name);
        if (copied != null) {
          checkpoints.add(copied);
        }
      } catch (BackupException e) {
        cluster.trace.note(node.id + " makes no checkpoint: " + e.getMessage());
      }
    }

    private static BackupSource source(SimProcess process) {
      return new NodeBackupSource(process.core(), process.store(), process.store()::checkpoint);
    }

    private MemberManifest manifest(SimNode node, Checkpoint made) {
      return new MemberManifest(
          1,
          name.toString(),
          topology.clusterId(),
          node.id.name(),
          "",
          made.epoch(),
          made.votes(),
          made.began(),
          made.ended(),
          made.newestStamp(),
          made.purgedUpTo(),
          cluster.profile.core().repair().tombstoneAgeMin().toMillis(),
          0,
          0,
          List.of());
    }

    private void end() {
      ended = true;
      later(random.nextLong(PAUSE_MILLIS), Backups.this::next);
      if (over || Completeness.objection(topology.epoch(), parts).isPresent()) {
        return;
      }
      List<Integer> covered = Completeness.covered(topology.members(), parts);
      floors.forEach((hot, floor) -> {
        if (covered.contains(hot.from())) {
          complete++;
          cluster.invariants.ranged(hot.key(), Optional.of(floor), newest(hot.key()));
        }
      });
    }

    private Optional<Versioned> newest(Key key) {
      long now = cluster.time.wallClock(0).millis();
      return checkpoints.stream()
          .flatMap(records -> Optional.ofNullable(records.get(key)).stream())
          .reduce((a, b) -> b.version().isNewerThan(a.version()) ? b : a)
          .filter(record -> record.isLiveAt(now));
    }
  }

  Backups(SimCluster cluster) {
    this.cluster = cluster;
    this.random = new SplittableRandom(cluster.profile.seed() * 67 + 29);
  }

  /** Begins with backups, unless what is on a disk may not be what was written. */
  void begin() {
    boolean isIntact = !cluster.profile.flips() && !cluster.profile.isLossy();
    if (isIntact && cluster.profile.areClocksBounded()) {
      later(random.nextLong(PAUSE_MILLIS), this::next);
    }
  }

  private void next() {
    Optional<Topology> topology =
        cluster.nodes().stream()
            .flatMap(node -> Optional.ofNullable(node.process()).stream())
            .map(SimProcess::topology)
            .reduce((a, b) -> a.epoch() >= b.epoch() ? a : b);
    if (over) {
      return;
    }
    if (topology.isPresent() && topology.get().phase() == Phase.STABLE) {
      new Backup(topology.get()).begin();
    } else {
      later(RETRY_MILLIS, this::next);
    }
  }

  private void later(long millis, Runnable task) {
    cluster.time.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** Ends it; the number of keys of which a complete backup was looked at. */
  int end() {
    over = true;
    return complete;
  }
}
