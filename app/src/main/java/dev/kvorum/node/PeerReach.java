package dev.kvorum.node;

import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which peers a starting node has reached. Any thread may ask.
 *
 * <p>A peer that accepts connections counts as reached once each event loop of either node has
 * connected to the other one: else a request on a loop without a connection would be answered 504
 * in a healthy cluster. Its clock must have been read too: of two clocks that differ, either may be
 * the wrong one.
 */
final class PeerReach {
  private final Supplier<List<MemberId>> peers;
  private final List<Transport> transports;
  private final ProcessRegistry processes;
  private final Predicate<MemberId> clockKnown;

  /**
   * The reach of one node.
   *
   * @param peers the other members
   * @param transports of all event loops
   * @param clockKnown whether a peer's clock has been read
   */
  PeerReach(
      Supplier<List<MemberId>> peers,
      List<Transport> transports,
      ProcessRegistry processes,
      Predicate<MemberId> clockKnown) {
    this.peers = peers;
    this.transports = transports;
    this.processes = processes;
    this.clockKnown = clockKnown;
  }

  /** Whether each peer is reached or known to accept no connections. */
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

  /** Whether so many peers refuse connections that no majority's clocks can be had. */
  boolean isMajorityRefusing() {
    List<MemberId> all = peers.get();
    long refusing =
        all.stream().filter(peer -> !processes.isConnected(peer) && isKnown(peer)).count();
    return 2 * (all.size() + 1 - refusing) <= all.size() + 1;
  }
}
