package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads of clusters that wait, for their next reconciliations. They are few and short-lived: a
 * cluster at rest has none, and those with Secrets are gone when the wait is over.
 */
public final class KeptReads {
  /** How much later a wait may end, or an edit be noticed, than by reading everything each time. */
  public static final Duration LIFE = Duration.ofMillis(2500);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Duration life;
  private final Map<Key, Reads> kept = new ConcurrentHashMap<>();

  private record Key(String namespace, String name) {}

  /**
   * Creates one.
   *
   * @param life time from its first read on for which a cluster's are kept
   */
  public KeptReads(KubernetesClient client, InstantSource clock, Duration life) {
    this.client = client;
    this.clock = clock;
    this.life = life;
  }

  /** Returns reads that have read nothing yet. */
  public Reads begin() {
    return new Reads(client, clock.instant());
  }

  /** Takes out a cluster's reads, if they are young enough to be reused. */
  public Optional<Reads> take(String namespace, String name) {
    Instant now = clock.instant();
    kept.values().removeIf(reads -> !now.isBefore(reads.since().plus(life)));
    return Optional.ofNullable(kept.remove(new Key(namespace, name)));
  }

  public void keep(String namespace, String name, Reads reads) {
    kept.put(new Key(namespace, name), reads);
  }

  /** Drops a cluster's reads, one of whose objects has changed. */
  public void forget(String namespace, String name) {
    kept.remove(new Key(namespace, name));
  }
}
