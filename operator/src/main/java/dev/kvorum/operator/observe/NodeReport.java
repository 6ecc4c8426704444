package dev.kvorum.operator.observe;

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
 * @param cluster which cluster it is of
 * @param node its name
 * @param epoch the epoch it plans by, and below which it refuses requests
 * @param reported what it has of that epoch beside its number, if reported
 * @param rebuilding whether it waits for its slots after it lost its disk
 * @param transfer how far it has copied what it gains
 * @param cleanedUp whether it has removed all that it does not keep
 * @param hintsWaiting hints it keeps for others
 * @param peers the other members as it sees them, by name
 * @param diskFreeBytes free space on its volume, if reported
 * @param dataBytes what its records take there, if reported
 */
public record NodeReport(
    String cluster,
    String node,
    long epoch,
    Optional<Reported> reported,
    boolean rebuilding,
    Optional<Transfer> transfer,
    boolean cleanedUp,
    long hintsWaiting,
    Map<String, PeerView> peers,
    OptionalLong diskFreeBytes,
    OptionalLong dataBytes) {
  public NodeReport {
    peers = Map.copyOf(peers);
  }

  /** What a node takes for the topology. */
  public record Reported(TopologyPhase phase, List<TopologyMember> members) {
    public Reported {
      members = List.copyOf(members);
    }

    boolean isOf(KvorumTopologySpec topology) {
      return phase == topology.phase()
          && Set.copyOf(members).equals(Set.copyOf(topology.members()));
    }
  }

  /**
   * The epoch for which a node copies what it gains, whether it has it all, from how many of the
   * others it has all of theirs, and what has come so far.
   */
  public record Transfer(long epoch, boolean done, int sourcesDone, int sources, long bytes) {}

  /** Another member as a node sees it. */
  public record PeerView(boolean connected, long hints) {}

  /** Whether this node has an epoch that is not, or not yet, in a topology. */
  public boolean isAheadOf(KvorumTopologySpec topology) {
    return epoch > topology.epoch()
        || (epoch == topology.epoch() && reported.filter(it -> !it.isOf(topology)).isPresent());
  }

  /** How far this node is with what it gains in an epoch. */
  public Optional<Transfer> transfer(long inEpoch) {
    return transfer.filter(copy -> copy.epoch() == inEpoch);
  }

  /** Whether all that this node gains in an epoch has been copied and proved. */
  public boolean transferred(long inEpoch) {
    return transfer(inEpoch).filter(Transfer::done).isPresent();
  }
}
