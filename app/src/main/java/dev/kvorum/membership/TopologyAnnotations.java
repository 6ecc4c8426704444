package dev.kvorum.membership;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;

/**
 * The annotations of a {@code KvorumTopology}, which the operator writes.
 *
 * @param isFounded whether each member of the first epoch has been complete
 * @param restore id of the backup that this cluster is restored from, until it is
 */
record TopologyAnnotations(boolean isFounded, Optional<String> restore) {
  static final TopologyAnnotations NONE = new TopologyAnnotations(false, Optional.empty());
  private static final String FOUNDED = "kvorum.dev/founded";
  private static final String RESTORE = "kvorum.dev/restore";

  /** Those of a later state of the object; a cluster stays founded. */
  TopologyAnnotations next(ObjectMeta metadata) {
    Map<String, String> all =
        metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations();
    return new TopologyAnnotations(
        isFounded || "true".equals(all.get(FOUNDED)), Optional.ofNullable(all.get(RESTORE)));
  }
}
