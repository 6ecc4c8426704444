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
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The topology object. It is deleted with the cluster only where the volumes are: without it, there
 * is no record of which volume holds what.
 */
public final class Topologies {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  private Topologies() {}

  /** The first one. */
  public static KvorumTopology create(KvorumCluster cluster, KvorumTopologySpec spec) {
    KvorumTopology topology = new KvorumTopology();
    ObjectMeta metadata = Labels.metadata(cluster, cluster.getMetadata().getName());
    metadata.setOwnerReferences(owners(List.of(), cluster));
    metadata.setAnnotations(annotations(Map.of(), cluster));
    topology.setMetadata(metadata);
    topology.setSpec(spec);
    return topology;
  }

  /** The next epoch in the same object. */
  public static KvorumTopology changed(KvorumTopology now, KvorumTopologySpec next) {
    KvorumTopology topology = copy(now);
    topology.setSpec(next);
    return topology;
  }

  /**
   * The same with the owner that the deletion policy asks for, and all annotations that it should
   * have.
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

  /** Whether it has the annotation for tools that prune, set by the operator or by a user. */
  public static boolean isKept(KvorumTopology topology) {
    return Labels.annotation(topology.getMetadata(), Labels.SYNC_OPTIONS).isPresent();
  }

  /** Whether it marks the cluster as founded. */
  public static boolean isFounded(KvorumTopology topology) {
    return Labels.annotation(topology.getMetadata(), Labels.FOUNDED)
        .filter("true"::equals)
        .isPresent();
  }

  /** With how many copies its cluster's records were written, if recorded. */
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

  /** Owners beside the cluster, and the cluster where the deletion policy requires it. */
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

  /** A copy that may be changed. */
  public static <T extends HasMetadata> T copy(T object) {
    T copy = Serialization.clone(object);
    copy.setMetadata(new ObjectMetaBuilder(object.getMetadata()).build());
    return copy;
  }
}
