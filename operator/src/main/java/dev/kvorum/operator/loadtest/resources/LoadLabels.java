package dev.kvorum.operator.loadtest.resources;

import dev.kvorum.operator.api.KvorumLoadTest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;
import java.util.TreeMap;

/** Defines the labels and the owner reference that mark objects as those of a load test. */
public final class LoadLabels {
  /**
   * Value of the name label of every object. It differs from the members' name, so that no Service
   * or disruption budget selects a Job's pod.
   */
  public static final String NAME = "kvorum-load-test";

  public static final String NAME_LABEL = "app.kubernetes.io/name";

  /** Label with the name of the load test. */
  public static final String INSTANCE_LABEL = "app.kubernetes.io/instance";

  /** Label with the name of the cluster under load. */
  public static final String TARGET_LABEL = "kvorum.dev/cluster";

  private LoadLabels() {}

  static Map<String, String> labels(KvorumLoadTest test) {
    return new TreeMap<>(
        Map.of(
            NAME_LABEL,
            NAME,
            INSTANCE_LABEL,
            test.getMetadata().getName(),
            "app.kubernetes.io/managed-by",
            "kvorum-operator",
            TARGET_LABEL,
            test.getSpec().cluster()));
  }

  static ObjectMeta metadata(KvorumLoadTest test, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(test.getMetadata().getNamespace())
        .withLabels(labels(test))
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(test.getApiVersion())
                .withKind(test.getKind())
                .withName(test.getMetadata().getName())
                .withUid(test.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(false)
                .build())
        .build();
  }

  /** Returns whether an object belongs to this load test and not to an earlier one of its name. */
  public static boolean isOwned(HasMetadata object, KvorumLoadTest test) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(test.getMetadata().getUid()));
  }
}
