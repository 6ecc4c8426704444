package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Meters of the requests to peers, by peer. Safe for use by many threads. */
public final class RpcMeters {
  private static final ByReason FENCED =
      new ByReason(
          "kvorum.rpc.fenced",
          "connections rejected because of another process of the same member");
  private static final ByReason REJECTED =
      new ByReason("kvorum.rpc.rejected", "connections rejected for their handshake");

  private final MeterRegistry registry;
  private final Map<String, Opened> peers = new ConcurrentHashMap<>();
  private volatile Lookups lookups = new Lookups(peer -> false, peer -> 0, peer -> 0);

  /**
   * Values that each scrape polls for a peer, by its name.
   *
   * @param connected returns whether every event loop has a connection to it
   * @param hintsWaiting returns the number of hints for it
   * @param protocol returns the version of the protocol in common with it, 0 if there is none
   */
  public record Lookups(
      Predicate<String> connected,
      ToLongFunction<String> hintsWaiting,
      ToLongFunction<String> protocol) {}

  private record ByReason(String name, String description) {}

  private record Opened(PeerMeters meters, int users) {}

  RpcMeters(MeterRegistry registry) {
    this.registry = registry;
    count(FENCED, "superseded", 0);
    count(FENCED, "duplicate", 0);
    count(REJECTED, "protocol", 0);
  }

  /** Counts a connection that was rejected for its handshake. */
  public void rejected(String reason) {
    count(REJECTED, reason, 1);
  }

  /** Counts a process of a peer that was rejected because of another process of the same member. */
  public void fenced(String reason) {
    count(FENCED, reason, 1);
  }

  private void count(ByReason counter, String reason, int times) {
    Counter.builder(counter.name())
        .description(counter.description())
        .tag("reason", reason)
        .register(registry)
        .increment(times);
  }

  /**
   * Returns the meters of a peer. They remain registered until each caller of this has called
   * {@link #close}.
   */
  public PeerMeters open(String peer) {
    return peers
        .compute(
            peer,
            (name, known) ->
                known == null
                    ? new Opened(new PeerMeters(registry, name, lookups()), 1)
                    : new Opened(known.meters(), known.users() + 1))
        .meters();
  }

  /** Sets the values to poll. */
  public void show(Lookups newLookups) {
    lookups = newLookups;
  }

  private Lookups lookups() {
    return new Lookups(
        peer -> lookups.connected().test(peer),
        peer -> lookups.hintsWaiting().applyAsLong(peer),
        peer -> lookups.protocol().applyAsLong(peer));
  }

  /** Removes the meters of a former member, once no other caller uses them. */
  public void close(String peer) {
    peers.computeIfPresent(
        peer,
        (name, known) -> {
          if (known.users() > 1) {
            return new Opened(known.meters(), known.users() - 1);
          }
          known.meters().close();
          return null;
        });
  }
}
