package dev.kvorum.operator.observe;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which image members run. The default for a spec without an image is recorded: the template holds
 * it only until another image is tried.
 */
final class ImageReader {
  private final String operators;

  /**
   * A reader.
   *
   * @param operators the operator's own default; may be empty
   */
  ImageReader(String operators) {
    this.operators = operators;
  }

  ImageView view(
      KvorumCluster cluster, boolean listed, Optional<StatefulSet> set, Map<String, Pod> pods) {
    String said = requireNonNullElse(cluster.getSpec().image(), "");
    KvorumClusterStatus status = requireNonNullElse(cluster.getStatus(), KvorumClusterStatus.NONE);
    boolean founded = listed || status.epoch() > 0;
    String byDefault = founded ? kept(status, said, set, pods) : operators;
    return new ImageView(said.isEmpty() ? byDefault : said, byDefault);
  }

  /** A newer operator restarts nothing, so its default is not that of a cluster that lives. */
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
