package dev.kvorum.node;

import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.PeerReleases;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tracks which peers a starting node has reached. Safe for any thread.
 *
 * <p>A peer that accepts connections counts as reached once each event loop of either node has
 * connected to the other node. Otherwise a request on a loop without a connection would fail with
 * 504 in a healthy cluster. The peer's clock must have been read too: of two clocks that differ,
 * either may be wrong.
 */
final class PeerReach {
  private final Supplier<List<MemberId>> peers;
  private final List<Transport> transports;
  private final ProcessRegistry processes;
  private final PeerReleases releases;
  private final Predicate<MemberId> clockKnown;

  /**
   * Creates the tracker of one node.
   *
   * @param peers supplies the other members
   * @param transports the transports of all event loops
   * @param clockKnown returns whether a peer's clock has been read
   */
  PeerReach(
      Supplier<List<MemberId>> peers,
      List<Transport> transports,
      ProcessRegistry processes,
      PeerReleases releases,
      Predicate<MemberId> clockKnown) {
    this.peers = peers;
    this.transports = transports;
    this.processes = processes;
    this.releases = releases;
    this.clockKnown = clockKnown;
  }

  /** The other members. */
  List<MemberId> peers() {
    return peers.get();
  }

  /** Returns whether each peer is reached or known to reject connections. */
  boolean isComplete() {
    return peers.get().stream()
        .allMatch(peer -> processes.isConnected(peer) ? isReached(peer) : isKnown(peer));
  }

  private boolean isReached(MemberId peer) {
    return processes.hasConnectedBack(peer)
        && clockKnown.test(peer)
        && transports.stream().allMatch(transport -> transport.isConnected(peer));
  }

  private boolean isKnown(MemberId peer) {
    return transports.stream().allMatch(transport -> transport.isKnown(peer));
  }

  /** Returns whether so many peers reject connections that no majority of clocks can be read. */
  boolean isMajorityRejecting() {
    return leavesNoMajority(peer -> !processes.isConnected(peer) && isKnown(peer));
  }

  /**
   * Returns whether so many peers have a release that does not work with this node's that it cannot
   * reach a majority of the members.
   */
  boolean isMajorityIncompatible() {
    return leavesNoMajority(releases::isIncompatible);
  }

  private boolean leavesNoMajority(Predicate<MemberId> lost) {
    List<MemberId> all = peers.get();
    long members = all.size() + 1L;
    return 2 * (members - all.stream().filter(lost).count()) <= members;
  }
}
