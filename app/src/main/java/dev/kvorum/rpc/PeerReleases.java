package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The releases that the peers run, as their last handshakes or rejections named them. Safe for any
 * thread.
 */
public final class PeerReleases {
  private final Release own;
  private final Map<MemberId, Release> peers = new ConcurrentHashMap<>();
  private final Set<MemberId> demanding = ConcurrentHashMap.newKeySet();

  PeerReleases(Release own) {
    this.own = own;
  }

  void note(MemberId peer, Release release) {
    peers.put(peer, release);
    demanding.remove(peer);
  }

  /** Notes that a peer has an active feature that this node's release lacks. */
  void noteDemand(MemberId peer) {
    demanding.add(peer);
  }

  void forget(MemberId peer) {
    peers.remove(peer);
    demanding.remove(peer);
  }

  /** The release of a peer, if it has told this process. */
  public Optional<Release> of(MemberId peer) {
    return Optional.ofNullable(peers.get(peer));
  }

  /** The version of the protocol that this node and a peer use, if they have one in common. */
  public OptionalInt protocol(MemberId peer) {
    return of(peer)
        .map(release -> own.protocols().common(release.protocols()))
        .orElse(OptionalInt.empty());
  }

  /**
   * Returns whether a peer is known to have no version of the protocol in common with this node, or
   * an active feature that this node's release lacks.
   */
  public boolean isIncompatible(MemberId peer) {
    return demanding.contains(peer) || (of(peer).isPresent() && protocol(peer).isEmpty());
  }
}
