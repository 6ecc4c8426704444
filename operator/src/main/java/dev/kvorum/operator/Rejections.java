package dev.kvorum.operator;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.observe.Snapshot;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.Sizes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which volume sizes, objects and checks the API server has rejected, for example because
 * of a quota, a storage class or an admission plugin. For {@link #AGAIN_AFTER}, a rejected request
 * neither blocks later steps nor is repeated at every reconciliation. The state is only in memory:
 * an operator that has just started requests each of them again.
 */
final class Rejections {
  static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int INVALID = 422;
  private static final int FAILED = 500;
  private static final Logger log = LoggerFactory.getLogger(Rejections.class);

  private final Map<Key, Rejection> rejections = new ConcurrentHashMap<>();

  /** A volume by its name, anything else by its kind and name. */
  private record Key(String namespace, String object) {}

  private record Rejection(String asked, Instant until, String why) {}

  /** Returns the snapshot with the remembered rejections. */
  Snapshot known(Snapshot there) {
    Instant now = there.view().now();
    rejections.values().removeIf(rejection -> !now.isBefore(rejection.until()));
    Map<String, String> whys = new HashMap<>();
    Stream.of(
            there.volumes().keySet().stream(),
            there.wanted().keySet().stream(),
            Stream.of(there.view().image().checkName()))
        .flatMap(objects -> objects)
        .forEach(object -> {
          Rejection rejection = rejections.get(key(there, object));
          if (rejection != null && rejection.asked().equals(asked(there, object))) {
            whys.put(object, rejection.why());
          }
        });
    return there.withRejected(whys);
  }

  /**
   * Remembers a rejection and returns the snapshot with it; empty if the failure is not a
   * rejection.
   */
  Optional<Snapshot> learn(Snapshot there, Step step, KubernetesClientException failure) {
    // A webhook that denies without a status code of its own yields 400.
    boolean rejected =
        switch (failure.getCode()) {
          case BAD_REQUEST, FORBIDDEN, INVALID -> true;
          case NOT_FOUND -> isUnknown(there, step);
          // A webhook of another product that is away blocks nothing but that product's object.
          case FAILED ->
              step instanceof Step.PutObject put && put.object().startsWith("Certificate/");
          default -> false;
        };
    Optional<String> object = rejected ? object(there, step) : Optional.empty();
    if (object.isEmpty()) {
      return Optional.empty();
    }
    String why =
        failure.getCode() == NOT_FOUND
            ? "the API server has no definition of its kind"
            : sentence(failure);
    log.warn("{}: the API server rejected {}: {}", there.view().name(), step, why);
    rejections.put(
        key(there, object.get()),
        new Rejection(asked(there, object.get()), there.view().now().plus(AGAIN_AFTER), why));
    return Optional.of(known(there));
  }

  /** Returns what the API server responded, without the client's account of the request. */
  static String sentence(KubernetesClientException failure) {
    return requireNonNullElse(
        failure.getStatus() == null ? null : failure.getStatus().getMessage(),
        String.valueOf(failure.getMessage()));
  }

  /** Whether something cannot be created because nobody has installed its definition. */
  private static boolean isUnknown(Snapshot there, Step step) {
    return step instanceof Step.PutObject put && !there.found().containsKey(put.object());
  }

  private static Optional<String> object(Snapshot there, Step step) {
    if (step instanceof Step.ResizeVolume resize) {
      return Optional.of(resize.volume());
    }
    if (step instanceof Step.CheckImage) {
      return Optional.of(there.view().image().checkName());
    }
    return step instanceof Step.PutObject put ? Optional.of(put.object()) : Optional.empty();
  }

  /**
   * Returns what would be requested now. If it differs from what was rejected, it is requested at
   * once.
   */
  private static String asked(Snapshot there, String object) {
    if (object.equals(there.view().image().checkName())) {
      return object;
    }
    HasMetadata wanted = there.wanted().get(object);
    return wanted == null
        ? Long.toString(Sizes.bytes(there.view().spec().storage().size()))
        : Labels.annotation(wanted.getMetadata(), Labels.HASH).orElse("");
  }

  private static Key key(Snapshot there, String object) {
    return new Key(there.cluster().getMetadata().getNamespace(), object);
  }
}
