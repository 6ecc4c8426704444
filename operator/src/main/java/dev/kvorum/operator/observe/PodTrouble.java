package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Describes why a pod is not ready, for conditions and Events. The description stays the same while
 * the problem lasts, although Kubernetes changes the wording with every attempt. Otherwise the
 * status would be rewritten each time.
 */
final class PodTrouble {
  private static final Set<String> NO_TROUBLE = Set.of("ContainerCreating", "PodInitializing");
  private static final Set<String> NO_IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName");

  /** Time that a container must run after a crash until the crash no longer counts as a problem. */
  private static final Duration OVER_A_CRASH = Duration.ofMinutes(1);

  private PodTrouble() {}

  static Optional<String> of(Pod pod, Optional<ContainerStatus> container, Instant now) {
    if (container.isEmpty()) {
      return unschedulable(pod);
    }
    ContainerState state = container.get().getState();
    ContainerStateWaiting waiting = state == null ? null : state.getWaiting();
    if (waiting != null && waiting.getReason() != null) {
      String reason = waiting.getReason();
      if (NO_IMAGE.contains(reason)) {
        return Optional.of("the image " + container.get().getImage() + " cannot be pulled");
      }
      if (!reason.equals("CrashLoopBackOff") && !NO_TROUBLE.contains(reason)) {
        return Optional.of("its container cannot be created: " + reason);
      }
    }
    return crashed(container.get(), now);
  }

  private static Optional<String> crashed(ContainerStatus container, Instant now) {
    ContainerStateTerminated ended = PodReader.terminated(container.getState());
    if (ended == null) {
      ended = PodReader.terminated(container.getLastState());
    }
    boolean over =
        PodReader.runningSince(container)
            .filter(since -> now.isAfter(since.plus(OVER_A_CRASH)))
            .isPresent();
    return ended == null || over ? Optional.empty() : Optional.of(ContainerExit.describe(ended));
  }

  private static Optional<String> unschedulable(Pod pod) {
    return PodReader.isFalse(pod, "PodScheduled")
        .map(it -> "it cannot be scheduled: " + it.getMessage());
  }
}
