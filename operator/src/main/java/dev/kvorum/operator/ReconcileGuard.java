package dev.kvorum.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the reconciliations of objects of one kind: it times them and schedules a retry after an
 * error. It also reports which objects still exist, since a deletion triggers no event.
 */
final class ReconcileGuard {
  private static final Logger log = LoggerFactory.getLogger(ReconcileGuard.class);

  /** Delay after an error such as an unreachable API server. */
  private static final Duration AFTER_ERROR = Duration.ofSeconds(5);

  private final OperatorMeters meters;
  private volatile @Nullable IndexedResourceCache<?> cache;

  ReconcileGuard(OperatorMeters meters) {
    this.meters = meters;
  }

  /**
   * Handles a failed write; returns the delay until the next reconciliation. A conflict means that
   * what was read is outdated. Any other failure is retried.
   */
  static Duration afterFailedWrite(
      OperatorMeters meters, String name, Object step, KubernetesClientException failure) {
    if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT
        || failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
      meters.conflict();
      return Reconciliation.SOON;
    }
    meters.failure();
    log.warn("{}: {} failed", name, step, failure);
    return Reconciliation.AT_REST;
  }

  /** Sets the informer whose cache determines which objects exist. */
  void follow(IndexedResourceCache<?> informer) {
    cache = informer;
  }

  /** Returns whether the informer's cache has such an object; true before an informer is set. */
  boolean mayExist(String namespace, String name) {
    IndexedResourceCache<?> known = cache;
    return known == null || known.get(new ResourceID(name, namespace)).isPresent();
  }

  /**
   * Runs one reconciliation.
   *
   * @param once the reconciliation, which returns the delay until the next one
   * @return that delay, or the delay after an error
   */
  Duration run(String name, Supplier<Duration> once) {
    long begun = System.nanoTime();
    Duration next;
    try {
      next = once.get();
    } catch (KubernetesClientException e) {
      meters.failure();
      log.warn("{}: reconciliation failed: {}", name, e.getMessage());
      next = AFTER_ERROR;
    } catch (RuntimeException unforeseen) {
      // The SDK would retry a few times and then ignore the object until it changes.
      meters.failure();
      log.error("{}: reconciliation failed", name, unforeseen);
      next = AFTER_ERROR;
    }
    meters.reconciled(Duration.ofNanos(System.nanoTime() - begun));
    return next;
  }
}
