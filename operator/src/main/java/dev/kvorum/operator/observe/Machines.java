package dev.kvorum.operator.observe;

import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.SpareDomains;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Reads where pods run. If the operator may not read machines, they have no zones, and there are no
 * others.
 */
final class Machines {
  /** Labels of machines hardly ever change, and every reconciliation needs those of each pod's. */
  private static final Duration LABELS_KEPT = Duration.ofSeconds(30);

  private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(Map<String, String> labels, Instant until) {}

  Machines(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Returns where a pod runs; empty before it is scheduled, and if its machine is gone. */
  Optional<Place> place(Pod pod, String zoneLabel) {
    return Optional.ofNullable(pod.getSpec().getNodeName())
        .flatMap(machine ->
            labels(machine).map(it -> new Place(machine, it.getOrDefault(zoneLabel, ""))));
  }

  private Optional<Map<String, String>> labels(String machine) {
    Instant now = clock.instant();
    Known there = known.get(machine);
    if (there != null && now.isBefore(there.until())) {
      return Optional.of(there.labels());
    }
    known.values().removeIf(old -> !now.isBefore(old.until()));
    Optional<Map<String, String>> labels =
        Permitted.read(() -> read(machine), Optional.of(Map.of()));
    labels.ifPresent(it -> known.put(machine, new Known(it, now.plus(LABELS_KEPT))));
    return labels;
  }

  private Optional<Map<String, String>> read(String machine) {
    return Optional.ofNullable(client.nodes().withName(machine).get())
        .map(node -> Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()));
  }

  /**
   * Returns which domains without these pods there are. It is asked only where the pods have too
   * few.
   */
  SpareDomains spare(Reads reads, Collection<Place> places, String zoneLabel, int copies) {
    List<String> machines = places.stream().map(Place::machine).distinct().toList();
    List<String> zones = places.stream().map(Place::zone).distinct().toList();
    return new SpareDomains(
        machines.size() == 1
            && places.size() > 1
            && isThereMachineBeside(reads, machines.getFirst()),
        !zones.isEmpty()
            && zones.size() < copies
            && !zones.contains("")
            && isThereZoneBeside(reads, zones, zoneLabel));
  }

  private boolean isThereMachineBeside(Reads reads, String machine) {
    return find(reads, "any", this::forWorkloads, 2).stream()
        .anyMatch(node -> !node.getMetadata().getName().equals(machine));
  }

  private boolean isThereZoneBeside(Reads reads, List<String> zones, String label) {
    return !find(
            reads,
            "beside " + zones + label,
            () ->
                forWorkloads().withLabel(label).withLabelNotIn(label, zones.toArray(String[]::new)),
            1)
        .isEmpty();
  }

  private FilterWatchListDeletable<Node, NodeList, Resource<Node>> forWorkloads() {
    return client.nodes().withoutLabel(CONTROL_PLANE);
  }

  private static List<Node> find(
      Reads reads,
      String which,
      Supplier<FilterWatchListDeletable<Node, NodeList, Resource<Node>>> machines,
      long most) {
    return Permitted.read(
        () ->
            reads.list(
                Node.class,
                which,
                () ->
                    machines
                        .get()
                        .list(new ListOptionsBuilder().withLimit(most).build())
                        .getItems()),
        List.of());
  }
}
