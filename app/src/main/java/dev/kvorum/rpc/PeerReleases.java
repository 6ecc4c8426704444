package dev.kvorum.rpc;

import dev.kvorum.topology.Feature;
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
  private volatile Set<Feature> required;

  /**
   * Knows no peer yet.
   *
   * @param required features that all peers must have
   */
  PeerReleases(Release own, Set<Feature> required) {
    this.own = own;
    this.required = required;
  }

  void note(MemberId peer, Release release) {
    peers.put(peer, release);
  }

  /** Notes whether a peer has an active feature that this node's release lacks. */
  void noteDemand(MemberId peer, boolean isDemanding) {
    if (isDemanding) {
      demanding.add(peer);
    } else {
      demanding.remove(peer);
    }
  }

  void forget(MemberId peer) {
    peers.remove(peer);
    demanding.remove(peer);
  }

  /** Features that all peers must have from now on. */
  void require(Set<Feature> all) {
    required = all;
  }

  Set<Feature> required() {
    return required;
  }

  /** Returns whether a peer is not known to have all features that it must have. */
  boolean lacksFeature(MemberId peer) {
    Release release = peers.get(peer);
    return release == null ? !required.isEmpty() : !release.features().containsAll(required);
  }

  /** Returns whether a peer is known to have a feature. */
  boolean has(MemberId peer, Feature feature) {
    Release release = peers.get(peer);
    return release != null && release.features().contains(feature);
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
   * Returns whether a peer is known to reject this node's release, or to be rejected for its own:
   * they have no version of the protocol in common, or one lacks a feature that is active on the
   * other.
   */
  public boolean isIncompatible(MemberId peer) {
    return demanding.contains(peer)
        || (of(peer).isPresent() && (protocol(peer).isEmpty() || lacksFeature(peer)));
  }
}
