package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.VolumeGrowth;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A member's pod and node, with the state on its volume. */
final class WorldNode {
  String uid = "";
  String volumeUid = "";
  boolean volumeDeleting;
  String hash = "";
  String image = "";
  Place place;
  boolean there;
  boolean started;
  boolean ready;
  boolean reachable = true;
  boolean dead;
  boolean rebuilding;
  boolean blank;
  Optional<String> restoring = Optional.empty();
  boolean silent;
  boolean unconnected;
  long hintsFor;
  long epochSeen;
  Optional<NodeReport.Reported> reported = Optional.empty();
  final Set<String> active = new HashSet<>();
  long transferred;
  long copied;
  long cleanedUp;
  long volumeGib;
  long capacityGib;
  VolumeGrowth growth = VolumeGrowth.NOT_REPORTED;
  Optional<String> mark = Optional.empty();
  Optional<Instant> leftAt = Optional.empty();

  /** When its volume was last a member's, or in use. */
  Instant usedAt = Instant.EPOCH;

  Optional<KvorumTopologySpec> savedTopology = Optional.empty();
  boolean decommissioned;
  boolean owned;
  boolean bound = true;
  Optional<String> rejected = Optional.empty();
  boolean stuck;
  Instant created = Instant.parse("2025-12-31T23:50:00Z");
  Optional<Instant> unreadySince = Optional.empty();
  OptionalLong diskFree = OptionalLong.empty();
  OptionalLong data = OptionalLong.empty();

  WorldNode(Place place) {
    this.place = place;
  }

  /** The operator marks its volume. */
  void mark(String clusterId, boolean goesWithTheCluster) {
    mark = Optional.of(clusterId);
    owned = goesWithTheCluster;
  }

  /** What a pod of its name starts with: its volume, or a new one if that is gone. */
  void useVolume() {
    if (volumeDeleting) {
      empty();
    }
    if (volumeDeleting || volumeUid.isEmpty()) {
      volumeDeleting = false;
      volumeUid = "volume-of-" + uid;
    }
  }

  /** Its volume loses all that it has. */
  void empty() {
    savedTopology = Optional.empty();
    decommissioned = false;
    rebuilding = true;
    blank = true;
    transferred = 0;
    epochSeen = 0;
    mark = Optional.empty();
    active.clear();
  }
}
