package dev.kvorum.operator;

import dev.kvorum.operator.observe.Sizes;
import dev.kvorum.operator.observe.Snapshot;
import dev.kvorum.operator.plan.Step;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sizes that the API has refused to volumes (a quota, a storage class, an admission plugin).
 * Each is remembered for a moment, so that it neither holds up what comes after it nor is asked for
 * at every look. An operator that has forgotten them asks once more.
 */
final class RefusedSizes {
  static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int INVALID = 422;
  private static final Logger LOG = LoggerFactory.getLogger(RefusedSizes.class);

  private final Map<Key, Refusal> refusals = new ConcurrentHashMap<>();

  private record Key(String namespace, String volume) {}

  private record Refusal(long bytes, Instant until, String why) {}

  /** The same with what is remembered of its volumes. */
  Snapshot known(Snapshot there) {
    Instant now = there.view().now();
    refusals.values().removeIf(refusal -> !now.isBefore(refusal.until()));
    Map<String, String> sizes = new HashMap<>();
    for (String volume : there.volumes().keySet()) {
      Refusal refusal = refusals.get(key(there, volume));
      if (refusal != null && refusal.bytes() == Sizes.bytes(there.view().spec().storage().size())) {
        sizes.put(volume, refusal.why());
      }
    }
    return there.withRefused(sizes);
  }

  /** The same with one refusal more; nothing where the failure is another one. */
  Optional<Snapshot> learn(Snapshot there, Step step, KubernetesClientException failure) {
    // A webhook that denies without a code of its own is a bad request.
    boolean refused =
        switch (failure.getCode()) {
          case BAD_REQUEST, FORBIDDEN, INVALID -> true;
          default -> false;
        };
    if (!refused || !(step instanceof Step.ResizeVolume resize)) {
      return Optional.empty();
    }
    String why =
        failure.getStatus() == null || failure.getStatus().getMessage() == null
            ? String.valueOf(failure.getMessage())
            : failure.getStatus().getMessage();
    LOG.warn("{}: {} is refused: {}", there.view().name(), resize, why);
    refusals.put(
        key(there, resize.volume()),
        new Refusal(resize.bytes(), there.view().now().plus(AGAIN_AFTER), why));
    return Optional.of(known(there));
  }

  private static Key key(Snapshot there, String volume) {
    return new Key(there.cluster().getMetadata().getNamespace(), volume);
  }
}
