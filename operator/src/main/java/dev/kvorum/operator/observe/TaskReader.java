package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.view.TaskView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the tasks of a cluster. There are none if the operator may not read them. */
final class TaskReader {
  private TaskReader() {}

  /** Returns the tasks that have not ended, in the order in which they run. */
  static List<KvorumTask> open(Reads reads, KvorumCluster cluster) {
    return Permitted.read(
            () ->
                ObjectReader.ofCluster(
                    reads, KvorumTask.class, cluster, task -> task.getSpec().cluster()),
            List.<KvorumTask>of())
        .stream()
        // Not one that a newer operator has to carry out.
        .filter(task -> task.getSpec().action() != null)
        .filter(task -> !task.known().ended())
        .sorted(
            Comparator.comparing((KvorumTask task) -> !task.known().started())
                .thenComparing(TaskReader::created)
                .thenComparing(task -> task.getMetadata().getName()))
        .toList();
  }

  private static Instant created(HasMetadata object) {
    return PodReader.time(object.getMetadata().getCreationTimestamp()).orElseThrow();
  }

  /** Returns the task that is next, or under way. */
  static Optional<TaskView> first(List<KvorumTask> open, KvorumCluster cluster) {
    return open.stream()
        .findFirst()
        .map(task ->
            new TaskView(
                task.getMetadata().getName(),
                Objects.requireNonNull(task.getSpec().action()),
                task.getSpec().member(),
                task.known().started(),
                Optional.ofNullable(task.known().replacedUid()),
                created(task).isBefore(created(cluster))));
  }
}
