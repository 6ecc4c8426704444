package dev.kvorum.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reconciliations of objects of one kind: measured, retried after an error, and ended for a
 * deleted object, whose deletion triggers no event.
 */
final class ReconcileGuard {
  private static final Logger log = LoggerFactory.getLogger(ReconcileGuard.class);

  /** After an error such as an API server that is away. */
  private static final Duration AFTER_ERROR = Duration.ofSeconds(5);

  private final OperatorMeters meters;
  private volatile @Nullable IndexedResourceCache<?> cache;

  ReconcileGuard(OperatorMeters meters) {
    this.meters = meters;
  }

  /** From now on this informer determines which objects exist. */
  void follow(IndexedResourceCache<?> informer) {
    cache = informer;
  }

  /** Whether the informer's cache has such an object; true before there is an informer. */
  boolean mayExist(String namespace, String name) {
    IndexedResourceCache<?> known = cache;
    return known == null || known.get(new ResourceID(name, namespace)).isPresent();
  }

  /**
   * Takes a look.
   *
   * @param once what it consists of; gives the time after which to look again
   * @return the same, or that of an error
   */
  Duration take(String name, Supplier<Duration> once) {
    long begun = System.nanoTime();
    Duration next;
    try {
      next = once.get();
    } catch (KubernetesClientException away) {
      meters.failure();
      log.warn("{}: reconciliation failed: {}", name, away.getMessage());
      next = AFTER_ERROR;
    } catch (RuntimeException unforeseen) {
      // The SDK would try a few times more and then let the object be until it changes.
      meters.failure();
      log.error("{}: reconciliation failed", name, unforeseen);
      next = AFTER_ERROR;
    }
    meters.reconciled(Duration.ofNanos(System.nanoTime() - begun));
    return next;
  }
}
