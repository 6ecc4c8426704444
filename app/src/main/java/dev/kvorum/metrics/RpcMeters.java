package dev.kvorum.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Requests to the other members, by peer. Safe for use by many threads. */
public final class RpcMeters {
  private final MeterRegistry registry;
  private final Map<String, PeerMeters> peers = new ConcurrentHashMap<>();
  private volatile Lookups lookups = new Lookups(peer -> false, peer -> 0);

  /**
   * What is looked up of a peer by its name when somebody asks.
   *
   * @param connected whether every event loop has a connection to it
   * @param hintsWaiting mutations that are kept for it
   */
  public record Lookups(Predicate<String> connected, ToLongFunction<String> hintsWaiting) {}

  RpcMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** The meters of one peer. */
  public PeerMeters of(String peer) {
    PeerMeters known = peers.get(peer);
    return known != null
        ? known
        : peers.computeIfAbsent(peer, name -> new PeerMeters(registry, name, lookups()));
  }

  /** Looks these up from now on. */
  public void show(Lookups newLookups) {
    lookups = newLookups;
  }

  private Lookups lookups() {
    return new Lookups(
        peer -> lookups.connected().test(peer), peer -> lookups.hintsWaiting().applyAsLong(peer));
  }

  /** Takes the meters of a peer back that is no member any more. */
  public void forget(String peer) {
    PeerMeters gone = peers.remove(peer);
    if (gone != null) {
      gone.close();
    }
  }
}
