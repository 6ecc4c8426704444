package dev.kvorum.simulation.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.storage.DiskImage;
import dev.kvorum.simulation.storage.Effect;
import dev.kvorum.storage.engine.NewestStamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a node that goes by its own clock leaves on its disk when that is a month ahead for a
 * moment: tombstones of records that are live, cuts that are still to come, and stamps from the
 * future. A majority of clocks that are wrong leaves the same.
 */
public final class ClockRemains {
  private static final Duration AHEAD = Duration.ofDays(31);

  /** Long enough for the rest of the run, so that nothing becomes equal by itself. */
  private static final Duration LIVE = Duration.ofMinutes(10);

  private final SimCluster cluster;

  public ClockRemains(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** Gives a process such a disk; the keys of which it has a tombstone then. */
  public Set<Key> leaveOn(SimNode node, SimProcess process) {
    cluster.trace.note("a wrong clock's remains on " + node.id);
    Set<Key> keys = new TreeSet<>();
    long now = cluster.time.wallClock(0).millis();
    long ahead = now + AHEAD.toMillis();
    DiskImage disk = node.disk.written();
    List<Effect> effects = new ArrayList<>();
    for (Map.Entry<Key, Versioned> at : disk.records.entrySet()) {
      Versioned record = at.getValue();
      if (record.isLiveAt(now + LIVE.toMillis())
          && !record.isLiveAt(ahead)
          && isOnTwoOthers(node, at.getKey(), record)) {
        Versioned tombstone = Versioned.tombstone(record.version(), record.from());
        effects.add(new Effect.Put(at.getKey(), tombstone.sealed(at.getKey())));
        keys.add(at.getKey());
      }
    }
    for (String number : disk.meta.keySet()) {
      if (number.startsWith("mark/pulled/") || number.startsWith("mark/pulled-by/")) {
        effects.add(new Effect.Meta(number, Version.stampOf(ahead)));
      }
    }
    process.store.reopen(() -> node.disk.plant(effects));
    return keys;
  }

  /**
   * Gives a process a tombstone that is stamped a month ahead, and that all have to keep. Each has
   * a key of its own: members do not compare what is stamped ahead, so two under one key would
   * differ until then.
   */
  public void leaveStampOn(SimNode node, SimProcess process) {
    cluster.trace.note("a stamp from the future on " + node.id);
    long stamp = Version.stampOf(cluster.time.wallClock(0).millis() + AHEAD.toMillis());
    Key key = Key.of("stamped " + stamp);
    int from = cluster.nodes().size();
    Versioned tombstone = Versioned.tombstone(new Version(stamp, 0), from).sealed(key);
    List<Effect> effects =
        List.of(
            new Effect.Put(key, tombstone),
            new Effect.Meta(new String(NewestStamps.key(), UTF_8), stamp));
    cluster.invariants.of(key).deleting();
    process.store.reopen(() -> node.disk.plant(effects));
  }

  /** One of them may have to start again meanwhile, and then there must be another live copy. */
  private boolean isOnTwoOthers(SimNode node, Key key, Versioned record) {
    return cluster.nodes().stream()
            .filter(other -> other != node)
            .map(other -> other.disk.written().records.get(key))
            .filter(Objects::nonNull)
            .filter(record::equals)
            .count()
        >= 2;
  }
}
