package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.Fallback;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.StatefulSets;
import dev.kvorum.operator.resources.TemplateSeal;
import dev.kvorum.operator.view.RolloutView;
import dev.kvorum.operator.view.Sizes;
import dev.kvorum.operator.view.StatefulSetView;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts a StatefulSet to a value. */
final class Views {
  private Views() {}

  static StatefulSetView statefulSet(StatefulSet set, KvorumCluster cluster) {
    Integer replicas = set.getSpec().getReplicas();
    return new StatefulSetView(
        replicas == null ? 1 : replicas,
        Labels.annotation(set.getMetadata(), Labels.REPLICAS).map(Integer::parseInt).stream()
            .mapToInt(number -> number)
            .findFirst(),
        Labels.annotation(set.getMetadata(), Labels.SPEC_HASH).orElse(""),
        Labels.annotation(set.getSpec().getTemplate().getMetadata(), Labels.IMAGE).orElse(""),
        set.getSpec().getVolumeClaimTemplates().stream()
            .mapToLong(claim -> storage(claim.getSpec().getResources()))
            .findFirst()
            .orElse(0),
        StatefulSets.isOrphaned(set, cluster),
        template(set),
        rollout(set),
        set.getMetadata().getDeletionTimestamp() != null);
  }

  private static RolloutView rollout(StatefulSet set) {
    Optional<PodTemplateSpec> fallback = Fallback.of(set);
    return new RolloutView(
        fallback.flatMap(it -> Labels.annotation(it.getMetadata(), Labels.SPEC_HASH)),
        fallback
            .filter(it -> !Fallback.haveSameSecurity(it, set.getSpec().getTemplate()))
            .isPresent(),
        Labels.annotation(set.getMetadata(), Labels.FAILED_UPDATE)
            .map(hash ->
                new RolloutView.FailedUpdate(
                    hash,
                    Labels.annotation(set.getMetadata(), Labels.FAILED_UPDATE_WHY).orElse(""))));
  }

  private static StatefulSetView.Template template(StatefulSet set) {
    if (!TemplateSeal.isSealed(set)) {
      return StatefulSetView.Template.UNKNOWN;
    }
    return TemplateSeal.isChanged(set)
        ? StatefulSetView.Template.CHANGED
        : StatefulSetView.Template.KEPT;
  }

  /** Returns the storage that a claim requests, in bytes. */
  static long storage(@Nullable VolumeResourceRequirements asked) {
    Quantity size = asked == null ? null : asked.getRequests().get("storage");
    return size == null ? 0 : Sizes.bytes(size);
  }
}
