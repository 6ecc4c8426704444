package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.ClusterObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads of a cluster's objects, each made once. For one thread at a time. The cluster itself, its
 * StatefulSet, topology and pods are read by {@link #client}, so that they are always current.
 */
public final class Reads {
  private final KubernetesClient client;
  private final Instant since;
  private final Map<Key, Result> results = new HashMap<>();

  private record Key(Class<?> kind, String what) {}

  private sealed interface Result {
    record Found(Object found) implements Result {}

    record Rejected(KubernetesClientException why) implements Result {}
  }

  private record Listed(List<? extends HasMetadata> objects) {}

  /**
   * Creates one that has read nothing.
   *
   * @param since the time of its first read, or before
   */
  public Reads(KubernetesClient client, Instant since) {
    this.client = client;
    this.since = since;
  }

  Instant since() {
    return since;
  }

  /** For reads that are made each time. */
  KubernetesClient client() {
    return client;
  }

  /**
   * Returns the result of a question, which is asked once, also if it is rejected.
   *
   * @param what with the kind, identifies the question
   */
  <T> T once(Class<T> kind, String what, Supplier<T> question) {
    return switch (results.computeIfAbsent(new Key(kind, what), key -> ask(question))) {
      case Result.Found it -> kind.cast(it.found());
      case Result.Rejected it -> throw it.why();
    };
  }

  private static Result ask(Supplier<?> question) {
    try {
      return new Result.Found(question.get());
    } catch (KubernetesClientException failure) {
      if (Permitted.isRejection(failure)) {
        return new Result.Rejected(failure);
      }
      throw failure;
    }
  }

  /** Returns the objects that a question finds. */
  <T extends HasMetadata> List<T> list(Class<T> kind, String what, Supplier<List<T>> question) {
    return once(Listed.class, kind.getSimpleName() + " " + what, () -> new Listed(question.get()))
        .objects()
        .stream()
        .map(kind::cast)
        .toList();
  }

  /** Returns the existing object of this one's kind and name. */
  Optional<HasMetadata> find(HasMetadata named) {
    return once(
            Listed.class,
            ClusterObjects.key(named),
            () -> {
              HasMetadata there = client.resource(named).get();
              return new Listed(there == null ? List.of() : List.of(there));
            })
        .objects()
        .stream()
        .map(HasMetadata.class::cast)
        .findFirst();
  }

  Optional<Secret> secret(String namespace, String name) {
    Secret named =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .build();
    return find(named).map(Secret.class::cast);
  }
}
