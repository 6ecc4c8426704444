package dev.kvorum.operator.job;

import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a Job and its pod to a value. The description of a problem stays the same while the
 * problem lasts, although Kubernetes changes the wording with every attempt.
 */
public final class JobReader {
  private static final Set<String> NO_IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull");
  private static final String BAD_NAME = "InvalidImageName";
  private static final Set<String> NO_TROUBLE = Set.of("ContainerCreating", "PodInitializing");

  /** The exit code of a killed process is this plus the number of the signal. */
  private static final int SIGNALLED = 128;

  private static final int MESSAGE_CHARACTERS_MAX = 300;

  /** Time that the Job controller has to create a pod before its absence counts as a problem. */
  private static final Duration POD_WAIT_MAX = Duration.ofSeconds(30);

  private JobReader() {}

  /**
   * Returns the view of a Job.
   *
   * @param owner uid of the object to which it must belong
   * @param container name of its container
   * @param pods among them that of the Job
   */
  public static JobView view(
      String owner, String container, @Nullable Job job, List<Pod> pods, Instant now) {
    if (job == null) {
      return new JobView.Absent();
    }
    if (!isOf(job, owner)) {
      return new JobView.Foreign();
    }
    // A Job that is being deleted still counts; it is created again once it is gone.
    Optional<Pod> pod =
        pods.stream().filter(it -> isOf(it, job.getMetadata().getUid())).findFirst();
    Optional<JobView> ended = pod.flatMap(it -> ended(it, container));
    if (ended.isPresent()) {
      return ended.get();
    }
    Optional<JobCondition> failed = condition(job, "Failed");
    if (failed.isPresent()) {
      return failed(failed.get());
    }
    if (condition(job, "Complete").isPresent()) {
      return new JobView.Succeeded("", Optional.empty(), Optional.empty());
    }
    Optional<ContainerStatus> status = pod.flatMap(it -> status(it, container));
    if (status.map(ContainerStatus::getState).map(ContainerState::getRunning).isPresent()) {
      return new JobView.Running();
    }
    Instant since =
        Optional.ofNullable(job.getMetadata().getCreationTimestamp())
            .map(Instant::parse)
            .orElse(now);
    Optional<JobView.Trouble> trouble =
        pod.isPresent() ? trouble(pod.get(), status) : noPod(job, since, now);
    return new JobView.Pending(since, trouble);
  }

  /** Quotas and policies that reject a pod are reported in the Events of the Job only. */
  private static Optional<JobView.Trouble> noPod(Job job, Instant since, Instant now) {
    return now.isBefore(since.plus(POD_WAIT_MAX))
        ? Optional.empty()
        : Optional.of(
            new JobView.Trouble(
                false,
                false,
                false,
                "its pod could not be created; see the Events of Job "
                    + job.getMetadata().getName()));
  }

  private static boolean isOf(HasMetadata object, String uid) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> Objects.equals(owner.getUid(), uid));
  }

  /** Whether its controller has reported its end. */
  public static boolean hasEnded(Job job) {
    return condition(job, "Complete").or(() -> condition(job, "Failed")).isPresent();
  }

  private static Optional<JobCondition> condition(Job job, String type) {
    return job.getStatus() == null
        ? Optional.empty()
        : job.getStatus().getConditions().stream()
            .filter(it -> it.getType().equals(type) && it.getStatus().equals("True"))
            .findFirst();
  }

  private static Optional<ContainerStatus> status(Pod pod, String container) {
    PodStatus status = pod.getStatus();
    return status == null
        ? Optional.empty()
        : status.getContainerStatuses().stream()
            .filter(it -> it.getName().equals(container))
            .findFirst();
  }

  private static Optional<JobView> ended(Pod pod, String container) {
    Optional<String> evicted = evicted(pod);
    boolean over = "Failed".equals(pod.getStatus() == null ? null : pod.getStatus().getPhase());
    if (over && "DeadlineExceeded".equals(pod.getStatus().getReason())) {
      return Optional.of(deadline());
    }
    ContainerStateTerminated end =
        status(pod, container)
            .map(ContainerStatus::getState)
            .map(ContainerState::getTerminated)
            .orElse(null);
    if (end != null && end.getExitCode() == 0) {
      return Optional.of(
          new JobView.Succeeded(
              Objects.requireNonNullElse(end.getMessage(), ""),
              Optional.ofNullable(end.getStartedAt()),
              Optional.ofNullable(end.getFinishedAt())));
    }
    if (evicted.isPresent() && (over || end != null)) {
      return Optional.of(new JobView.Failed(JobView.Cause.EVICTED, evicted.get()));
    }
    return Optional.ofNullable(end).map(it -> exited(it, container));
  }

  private static JobView exited(ContainerStateTerminated end, String container) {
    if ("OOMKilled".equals(end.getReason())) {
      return new JobView.Failed(
          JobView.Cause.KILLED, "its container used more memory than its limit");
    }
    int code = end.getExitCode();
    if (code > SIGNALLED) {
      return new JobView.Failed(
          JobView.Cause.KILLED, "its container was killed with signal " + (code - SIGNALLED));
    }
    String said = last(Objects.requireNonNullElse(end.getMessage(), ""));
    return new JobView.Failed(
        JobView.Cause.EXIT,
        container + " exited with code " + code + (said.isEmpty() ? "" : ": " + said));
  }

  /** Returns the last line of a container's output. */
  private static String last(String text) {
    String stripped = text.strip();
    String line = stripped.substring(stripped.lastIndexOf('\n') + 1);
    return line.substring(0, Math.min(line.length(), MESSAGE_CHARACTERS_MAX));
  }

  private static Optional<String> evicted(Pod pod) {
    PodStatus status = pod.getStatus();
    if (status == null) {
      return Optional.empty();
    }
    if ("Evicted".equals(status.getReason())) {
      return Optional.of("its pod was evicted: " + status.getMessage());
    }
    return status.getConditions().stream()
        .filter(it -> it.getType().equals("DisruptionTarget") && it.getStatus().equals("True"))
        .filter(it -> !"TerminationByKubelet".equals(it.getReason()))
        .findFirst()
        .map(PodCondition::getReason)
        .map(reason -> "its pod was evicted from its machine: " + reason);
  }

  private static JobView failed(JobCondition failed) {
    return "DeadlineExceeded".equals(failed.getReason())
        ? deadline()
        : new JobView.Failed(JobView.Cause.KILLED, "its pod was deleted before it finished");
  }

  private static JobView deadline() {
    return new JobView.Failed(
        JobView.Cause.DEADLINE, "the Job took longer than its activeDeadlineSeconds");
  }

  private static Optional<JobView.Trouble> trouble(Pod pod, Optional<ContainerStatus> container) {
    if (container.isEmpty()) {
      return pod.getStatus() == null
          ? Optional.empty()
          : pod.getStatus().getConditions().stream()
              .filter(it -> it.getType().equals("PodScheduled") && it.getStatus().equals("False"))
              .findFirst()
              .map(it ->
                  new JobView.Trouble(
                      false, false, false, "its pod cannot be scheduled: " + it.getMessage()));
    }
    return Optional.ofNullable(container.get().getState())
        .map(ContainerState::getWaiting)
        .map(ContainerStateWaiting::getReason)
        .filter(reason -> !NO_TROUBLE.contains(reason))
        .map(reason -> waiting(reason, container.get().getImage()));
  }

  private static JobView.Trouble waiting(String reason, String image) {
    if (reason.equals(BAD_NAME)) {
      return new JobView.Trouble(true, true, true, "the image name " + image + " is not valid");
    }
    return NO_IMAGE.contains(reason)
        ? new JobView.Trouble(true, true, false, "the image " + image + " cannot be pulled")
        : new JobView.Trouble(true, false, false, "its container cannot be created: " + reason);
  }
}
