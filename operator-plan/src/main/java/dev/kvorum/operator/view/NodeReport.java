package dev.kvorum.operator.view;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A node's report on its management port.
 *
 * @param cluster the id of its cluster
 * @param node its name
 * @param release the release that it runs
 * @param operations what the operator may ask of it and not of older nodes
 * @param activeFeatures the features that are active on it, which it keeps for ever
 * @param epoch the epoch by which it plans and below which it rejects requests
 * @param reported the rest of that epoch's topology, if reported
 * @param rebuilding whether it rebuilds slots after it lost its disk
 * @param blank whether its store has never held anything
 * @param restoring id of the backup for whose restore it waits, while it serves no clients
 * @param transfer its progress in copying the records that it gains
 * @param cleanedUp whether it has removed all records that it does not keep
 * @param hintsWaiting number of hints that it keeps for others
 * @param peers the other members as it sees them, by name
 * @param certificates by port with TLS, a hash of the certificates that it uses
 * @param users a hash of the file with users that it uses; an empty text without one
 * @param diskFreeBytes free space on its volume, if reported
 * @param dataBytes size of its data on the volume, if reported
 */
public record NodeReport(
    String cluster,
    String node,
    Release release,
    Set<String> operations,
    Set<String> activeFeatures,
    long epoch,
    Optional<Reported> reported,
    boolean rebuilding,
    boolean blank,
    Optional<String> restoring,
    Optional<Transfer> transfer,
    boolean cleanedUp,
    long hintsWaiting,
    Map<String, PeerView> peers,
    Map<String, String> certificates,
    String users,
    OptionalLong diskFreeBytes,
    OptionalLong dataBytes) {
  public NodeReport {
    operations = Set.copyOf(operations);
    activeFeatures = Set.copyOf(activeFeatures);
    peers = Map.copyOf(peers);
    certificates = Map.copyOf(certificates);
  }

  /** The topology that a node uses, without the epoch. */
  public record Reported(TopologyPhase phase, List<TopologyMember> members) {
    public Reported {
      members = List.copyOf(members);
    }
  }

  /**
   * A node's progress in copying the records that it gains.
   *
   * @param epoch the epoch for which it copies
   * @param done whether it has all of them
   * @param sourcesDone number of members from which it has all records
   * @param sources number of members from which it copies
   * @param bytes bytes received so far
   */
  public record Transfer(long epoch, boolean done, int sourcesDone, int sources, long bytes) {}

  /**
   * Another member as a node sees it.
   *
   * @param hints number of hints that the node keeps for it
   */
  public record PeerView(boolean connected, long hints) {}

  /**
   * Returns whether this node has a later epoch than the topology, or the same number with other
   * contents.
   */
  public boolean isAheadOf(KvorumTopologySpec topology) {
    return epoch > topology.epoch()
        || (epoch == topology.epoch()
            && topology().filter(it -> !it.hasContentsOf(topology)).isPresent());
  }

  /**
   * Returns the topology that the node has, if it reports all of it; without features, because what
   * is active on the node may have become so under another topology.
   */
  public Optional<KvorumTopologySpec> topology() {
    return reported.map(
        it -> new KvorumTopologySpec(cluster, epoch, it.phase(), it.members(), List.of()));
  }

  /**
   * Returns the progress of the copy for an epoch; empty if the node copies for none or another
   * one.
   */
  public Optional<Transfer> transfer(long inEpoch) {
    return transfer.filter(copy -> copy.epoch() == inEpoch);
  }

  /** Returns whether the node has copied all records that it gains in an epoch. */
  public boolean transferred(long inEpoch) {
    return transfer(inEpoch).filter(Transfer::done).isPresent();
  }
}
