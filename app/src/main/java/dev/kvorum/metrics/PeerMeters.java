package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Meters of the requests to one peer and of its connections. Safe for use by many threads. */
public final class PeerMeters {
  private final MeterRegistry registry;
  private final String peer;
  private final Timer requests;
  private final Map<String, Counter> failures = new ConcurrentHashMap<>();
  private final LongAdder inFlight = new LongAdder();
  private final Counter sentBytes;
  private final Counter receivedBytes;
  private final Counter connects;
  private final List<Meter> others;
  private volatile boolean suspect = true;
  private boolean closed;

  PeerMeters(MeterRegistry registry, String peer, RpcMeters.Lookups lookups) {
    this.registry = registry;
    this.peer = peer;
    requests =
        LatencyBuckets.timer(
            registry,
            "kvorum.rpc.requests",
            "requests to a peer, from the call to the reply",
            "peer",
            peer);
    sentBytes = counter("kvorum.rpc.sent", "bytes sent to a peer", "bytes");
    receivedBytes = counter("kvorum.rpc.received", "bytes received from a peer", "bytes");
    connects = counter("kvorum.rpc.connects", "connections made to a peer", null);
    others =
        List.of(
            Gauge.builder("kvorum.rpc.in.flight", inFlight::sum)
                .description("requests to a peer without a reply so far")
                .tag("peer", peer)
                .register(registry),
            Gauge.builder("kvorum.rpc.suspect", () -> suspect ? 1 : 0)
                .description("1 while this peer is suspect and asked last")
                .tag("peer", peer)
                .register(registry),
            Gauge.builder("kvorum.rpc.connected", () -> lookups.connected().test(peer) ? 1 : 0)
                .description("1 while every event loop has a connection to it")
                .tag("peer", peer)
                .register(registry),
            Gauge.builder("kvorum.rpc.protocol", () -> lookups.protocol().applyAsLong(peer))
                .description("version of the protocol used with it, 0 without one in common")
                .tag("peer", peer)
                .register(registry),
            Gauge.builder("kvorum.hints.waiting", () -> lookups.hintsWaiting().applyAsLong(peer))
                .description("hints stored for a peer")
                .tag("peer", peer)
                .register(registry));
  }

  private Counter counter(String name, String description, @Nullable String unit) {
    return Counter.builder(name)
        .description(description)
        .baseUnit(unit)
        .tag("peer", peer)
        .register(registry);
  }

  /** Counts a request that is about to be sent. */
  public void asked() {
    inFlight.increment();
  }

  /** Records the end of a request: a reply of any kind, or a timeout. */
  public void replied(long nanos) {
    inFlight.decrement();
    requests.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Counts a request that could not be sent. */
  public void rejected(String reason) {
    asked();
    replied(0);
    failed(reason);
  }

  /** Records that no caller waits for the request any more. */
  public void cancelled() {
    inFlight.decrement();
  }

  /** Counts a request that failed. */
  public void failed(String reason) {
    Counter known = failures.get(reason);
    if (known == null) {
      known = failure(reason);
    }
    known.increment();
  }

  // Requests in flight when a peer leaves fail after its meters were removed.
  private synchronized Counter failure(String reason) {
    MeterRegistry where = closed ? new CompositeMeterRegistry() : registry;
    return failures.computeIfAbsent(
        reason,
        label ->
            Counter.builder("kvorum.rpc.failures")
                .description("requests to a peer that failed")
                .tag("peer", peer)
                .tag("reason", label)
                .register(where));
  }

  /** Counts bytes sent to the peer and received from it. */
  public void moved(long sent, long received) {
    if (sent > 0) {
      sentBytes.increment((double) sent);
    }
    if (received > 0) {
      receivedBytes.increment((double) received);
    }
  }

  /** Counts a new connection. */
  public void connected() {
    connects.increment();
  }

  /** Sets the failure detector's current state. */
  public void suspect(boolean isSuspect) {
    suspect = isSuspect;
  }

  synchronized void close() {
    closed = true;
    List<Meter> all = new ArrayList<>(others);
    all.addAll(failures.values());
    all.addAll(List.of(requests, sentBytes, receivedBytes, connects));
    all.forEach(registry::remove);
  }
}
