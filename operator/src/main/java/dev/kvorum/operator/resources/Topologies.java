package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds the topology object. It is deleted with the cluster only if the volumes are: without it,
 * there is no record of which volume holds what.
 */
public final class Topologies {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  private Topologies() {}

  /** Returns the first topology. */
  public static KvorumTopology create(KvorumCluster cluster, KvorumTopologySpec spec) {
    KvorumTopology topology = new KvorumTopology();
    ObjectMeta metadata = Labels.metadata(cluster, cluster.getMetadata().getName());
    metadata.setOwnerReferences(owners(List.of(), cluster));
    metadata.setAnnotations(annotations(Map.of(), cluster));
    topology.setMetadata(metadata);
    topology.setSpec(spec);
    return topology;
  }

  /** Returns the object with the order to wait until a backup is restored. */
  public static KvorumTopology restoring(KvorumTopology now, Optional<String> backup) {
    KvorumTopology topology = copy(now);
    Map<String, String> annotations = topology.getMetadata().getAnnotations();
    backup.ifPresentOrElse(
        id -> annotations.put(Labels.RESTORE_ORDER, id),
        () -> annotations.remove(Labels.RESTORE_ORDER));
    return topology;
  }

  /** Returns the id of the backup that its members wait for. */
  public static Optional<String> restore(KvorumTopology topology) {
    return Labels.annotation(topology.getMetadata(), Labels.RESTORE_ORDER);
  }

  /** Returns the object with the next epoch. */
  public static KvorumTopology changed(KvorumTopology now, KvorumTopologySpec next) {
    KvorumTopology topology = copy(now);
    topology.setSpec(next);
    return topology;
  }

  /**
   * Returns the object with the owner that the deletion policy requires and with all annotations of
   * the operator.
   */
  public static KvorumTopology marked(KvorumTopology now, KvorumCluster cluster, boolean founded) {
    KvorumTopology topology = copy(now);
    topology
        .getMetadata()
        .setOwnerReferences(owners(now.getMetadata().getOwnerReferences(), cluster));
    topology
        .getMetadata()
        .setAnnotations(
            annotations(requireNonNullElse(now.getMetadata().getAnnotations(), Map.of()), cluster));
    if (founded) {
      topology.getMetadata().getAnnotations().put(Labels.FOUNDED, "true");
    }
    return topology;
  }

  /**
   * Returns whether it has the annotation that excludes it from pruning, set by the operator or by
   * a user.
   */
  public static boolean isKept(KvorumTopology topology) {
    return Labels.annotation(topology.getMetadata(), Labels.SYNC_OPTIONS).isPresent();
  }

  /** Returns whether it marks the cluster as founded. */
  public static boolean isFounded(KvorumTopology topology) {
    return Labels.annotation(topology.getMetadata(), Labels.FOUNDED)
        .filter("true"::equals)
        .isPresent();
  }

  /** Returns the number of copies with which its cluster's records were written, if recorded. */
  public static OptionalInt replication(KvorumTopology topology) {
    return number(topology.getMetadata().getAnnotations());
  }

  private static OptionalInt number(@Nullable Map<String, String> annotations) {
    String said = annotations == null ? null : annotations.get(Labels.REPLICATION);
    return said != null && NUMBER.matcher(said).matches()
        ? OptionalInt.of(Integer.parseInt(said))
        : OptionalInt.empty();
  }

  private static Map<String, String> annotations(Map<String, String> there, KvorumCluster cluster) {
    Map<String, String> all = new TreeMap<>(there);
    all.putIfAbsent(Labels.SYNC_OPTIONS, Labels.KEPT);
    if (number(there).isEmpty()) {
      all.put(Labels.REPLICATION, cluster.getSpec().replication().toString());
    }
    return all;
  }

  /** Returns the other owners, and the cluster if the deletion policy requires it. */
  static List<OwnerReference> owners(List<OwnerReference> now, KvorumCluster cluster) {
    OwnerReference self = Labels.owner(cluster);
    List<OwnerReference> owners = new ArrayList<>(now);
    owners.removeIf(owner -> owner.getUid().equals(self.getUid()));
    switch (cluster.getSpec().deletionPolicy()) {
      case RETAIN -> {}
      case DELETE -> owners.add(self);
    }
    return owners;
  }

  /** Returns a copy that may be changed. */
  public static <T extends HasMetadata> T copy(T object) {
    T copy = Serialization.clone(object);
    copy.setMetadata(new ObjectMetaBuilder(object.getMetadata()).build());
    return copy;
  }
}
