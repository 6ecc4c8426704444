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
 * The looks at objects of one kind: measured, tried again after an error, and over for an object
 * that is gone, of whose end nobody is told.
 */
final class Looks {
  private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

  /** After an error such as an API server that is away. */
  private static final Duration AFTER_ERROR = Duration.ofSeconds(5);

  private final OperatorMeters meters;
  private volatile @Nullable IndexedResourceCache<?> cache;

  Looks(OperatorMeters meters) {
    this.meters = meters;
  }

  /** From now on this says which objects there are. */
  void follow(IndexedResourceCache<?> informer) {
    cache = informer;
  }

  /** Whether there is such an object, as far as the informer knows. */
  boolean know(String namespace, String name) {
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
      LOG.warn("{}: cannot be looked at: {}", name, away.getMessage());
      next = AFTER_ERROR;
    } catch (RuntimeException unforeseen) {
      // The SDK would try a few times more and then let the object be until it changes.
      meters.failure();
      LOG.error("{}: cannot be looked at", name, unforeseen);
      next = AFTER_ERROR;
    }
    meters.reconciled(Duration.ofNanos(System.nanoTime() - begun));
    return next;
  }
}
