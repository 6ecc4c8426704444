package dev.kvorum.operator.observe;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a node says of itself on its management port.
 *
 * @param cluster which cluster it is of
 * @param node its name
 * @param epoch the epoch it plans by, and below which it refuses requests
 * @param rebuilding whether it waits for its slots after it lost its disk
 * @param transfer how far it has copied what it gains
 * @param cleared whether it has removed all that it does not keep
 * @param hintsWaiting hints it keeps for others
 * @param peers the other members as it sees them, by name
 * @param diskFreeBytes free space on its volume, if it says so
 * @param dataBytes what its records take there, if it says so
 */
public record NodeReport(
    String cluster,
    String node,
    long epoch,
    boolean rebuilding,
    Optional<Transfer> transfer,
    boolean cleared,
    long hintsWaiting,
    Map<String, PeerView> peers,
    OptionalLong diskFreeBytes,
    OptionalLong dataBytes) {
  public NodeReport {
    peers = Map.copyOf(peers);
  }

  /** The epoch for which a node copies what it gains, and whether it has it all. */
  public record Transfer(long epoch, boolean done) {}

  /** Another member as a node sees it. */
  public record PeerView(boolean connected, long hints) {}

  /** Whether all that this node gains in an epoch has been copied and proved. */
  public boolean transferred(long inEpoch) {
    return transfer.filter(copy -> copy.epoch() == inEpoch && copy.done()).isPresent();
  }
}
