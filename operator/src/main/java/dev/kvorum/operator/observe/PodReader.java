package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.TemplateSeal;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Ordinals;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.PodView;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts a pod to a value. */
final class PodReader {
  private static final Pattern LEFT = Pattern.compile("left in epoch ([0-9]{1,18})$");

  private PodReader() {}

  static PodView view(
      Pod pod,
      Optional<StatefulSet> set,
      Optional<Place> place,
      Optional<NodeReport> report,
      Instant now) {
    Optional<ContainerStatus> container = container(pod);
    String deletion = pod.getMetadata().getDeletionTimestamp();
    boolean ready = isTrue(pod, "Ready").orElse(false);
    return new PodView(
        pod.getMetadata().getName(),
        Ordinals.of(pod.getMetadata().getName()),
        pod.getMetadata().getUid(),
        Labels.annotation(pod.getMetadata(), Labels.SPEC_HASH)
            .filter(hash -> set.filter(it -> TemplateSeal.isForeign(pod, it)).isEmpty())
            .orElse(""),
        Labels.annotation(pod.getMetadata(), Labels.IMAGE).orElse(""),
        time(pod.getMetadata().getCreationTimestamp()).orElse(now),
        place,
        container.flatMap(PodReader::runningSince),
        container.filter(PodReader::hasRun).isPresent(),
        container.map(ContainerStatus::getRestartCount).orElse(0),
        ready,
        isFalse(pod, "Ready").flatMap(it -> time(it.getLastTransitionTime())),
        isTrue(pod, Labels.REACHABLE).orElse(true),
        waits(pod),
        time(deletion),
        ready ? Optional.empty() : PodTrouble.of(pod, container, now),
        report);
  }

  private static Optional<ContainerStatus> container(Pod pod) {
    PodStatus status = pod.getStatus();
    return status == null
        ? Optional.empty()
        : status.getContainerStatuses().stream()
            .filter(container -> container.getName().equals("node"))
            .findFirst();
  }

  static Optional<Instant> runningSince(ContainerStatus container) {
    ContainerState state = container.getState();
    return state == null || state.getRunning() == null
        ? Optional.empty()
        : time(state.getRunning().getStartedAt());
  }

  private static boolean hasRun(ContainerStatus container) {
    return runningSince(container).isPresent()
        || terminated(container.getState()) != null
        || terminated(container.getLastState()) != null;
  }

  /** Returns whether a condition holds; empty if it was never set. */
  static Optional<Boolean> isTrue(Pod pod, String type) {
    return condition(pod, type).map(it -> it.getStatus().equals("True"));
  }

  static Optional<PodCondition> isFalse(Pod pod, String type) {
    return condition(pod, type).filter(it -> it.getStatus().equals("False"));
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    return pod.getStatus() == null
        ? Optional.empty()
        : pod.getStatus().getConditions().stream()
            .filter(it -> it.getType().equals(type))
            .findFirst();
  }

  /** The node writes the epoch in which it has left at the end of the message. */
  private static OptionalLong waits(Pod pod) {
    return isFalse(pod, Labels.LISTED).stream()
        .map(it -> LEFT.matcher(Objects.requireNonNullElse(it.getMessage(), "")))
        .mapToLong(left -> left.find() ? Long.parseLong(left.group(1)) : 0)
        .findFirst();
  }

  static @Nullable ContainerStateTerminated terminated(@Nullable ContainerState state) {
    return state == null ? null : state.getTerminated();
  }

  /** Parses a time of the API. */
  static Optional<Instant> time(@Nullable String text) {
    return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
  }
}
