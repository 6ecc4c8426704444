package dev.kvorum.operator.observe;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.ImageView;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.StatefulSetView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Determines the image of the members. The default for a spec without an image is recorded in the
 * status, because the template holds it only until another image is tried.
 */
final class ImageReader {
  private final String operators;

  /**
   * Creates a reader.
   *
   * @param operators default image of the operator; may be empty
   */
  ImageReader(String operators) {
    this.operators = operators;
  }

  /**
   * Returns the image of the members.
   *
   * @param views the pods as values
   * @param specHash hash of the spec that pods are started with next
   * @param check returns what is known of an image that the members do not have yet
   */
  ImageView view(
      KvorumCluster cluster,
      boolean listed,
      Optional<StatefulSet> set,
      Map<String, Pod> pods,
      Collection<PodView> views,
      String specHash,
      Function<String, ImageCheck> check) {
    String said = requireNonNullElse(cluster.getSpec().image(), "");
    KvorumClusterStatus status = cluster.known();
    boolean founded = listed || status.epoch() > 0;
    String byDefault = founded ? kept(status, said, set, pods) : operators;
    String wanted = said.isEmpty() ? byDefault : said;
    boolean isNew =
        listed
            && !wanted.isEmpty()
            && views.stream().noneMatch(pod -> pod.hasRun() && pod.image().equals(wanted))
            && set.map(it -> Views.statefulSet(it, cluster))
                .filter(it -> gets(it, wanted, specHash))
                .isPresent();
    return new ImageView(
        wanted, byDefault, isNew ? check.apply(wanted) : new ImageCheck.NotNeeded());
  }

  /** Returns whether the next template has another image. */
  private static boolean gets(StatefulSetView set, String wanted, String specHash) {
    return !set.image().equals(wanted)
        && !set.specHash().equals(specHash)
        && !set.rollout().hasFailed(specHash);
  }

  /**
   * Returns the default image of a founded cluster. It is not the operator's current default,
   * because a newer operator must not restart pods.
   */
  private String kept(
      KvorumClusterStatus status, String said, Optional<StatefulSet> set, Map<String, Pod> pods) {
    String kept = status.defaultImage();
    if (kept != null && !kept.isEmpty()) {
      return kept;
    }
    return said.isEmpty() ? inUse(set, pods).orElse(operators) : operators;
  }

  private static Optional<String> inUse(Optional<StatefulSet> set, Map<String, Pod> pods) {
    return Stream.concat(
            set.map(it -> it.getSpec().getTemplate().getSpec()).stream(),
            pods.values().stream().map(Pod::getSpec))
        .flatMap(spec -> spec.getContainers().stream())
        .filter(container -> container.getName().equals("node"))
        .map(Container::getImage)
        .findFirst();
  }
}
