package dev.kvorum.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.resources.LoadAccess;
import dev.kvorum.operator.loadtest.resources.LoadJobs;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final Pod NO_POD = new PodBuilder().withNewMetadata().endMetadata().build();

  private static KvorumLoadTest test(String uid) {
    KvorumLoadTest test = new KvorumLoadTest();
    test.setMetadata(
        new ObjectMetaBuilder().withName("sweep").withNamespace("shop").withUid(uid).build());
    test.setSpec(LoadTests.spec(LoadWorkload.PUT, 1000L));
    return test;
  }

  private static Job job() {
    return new JobBuilder(
            LoadJobs.of(test("uid"), 0, new LoadAccess(false, Optional.empty()), "wrk2:1"))
        .editMetadata()
        .withUid("job")
        .endMetadata()
        .build();
  }

  private static Job ended(String condition, String reason) {
    return new JobBuilder(job())
        .withNewStatus()
        .addNewCondition()
        .withType(condition)
        .withStatus("True")
        .withReason(reason)
        .endCondition()
        .endStatus()
        .build();
  }

  private static PodBuilder pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("sweep-0-abcde")
        .addNewOwnerReference()
        .withUid("job")
        .endOwnerReference()
        .endMetadata()
        .withNewStatus()
        .endStatus();
  }

  private static Pod pod(ContainerState state) {
    return pod()
        .editStatus()
        .addNewContainerStatus()
        .withName(LoadJobs.CONTAINER)
        .withImage("wrk2:none")
        .withState(state)
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static ContainerState terminated(int code, String reason, @Nullable String message) {
    return new ContainerStateBuilder()
        .withNewTerminated()
        .withExitCode(code)
        .withReason(reason)
        .withMessage(message)
        .endTerminated()
        .build();
  }

  private static ContainerState waiting(String reason) {
    return new ContainerStateBuilder()
        .withNewWaiting()
        .withReason(reason)
        .withMessage("other words each time")
        .endWaiting()
        .build();
  }

  private static JobView view(Job job, Pod pod) {
    return JobReader.view("uid", LoadJobs.CONTAINER, job, List.of(pod), NOW);
  }

  private static JobView.Failed failed(Job job, Pod pod) {
    return (JobView.Failed) view(job, pod);
  }

  @Test
  void aJobOfAnEarlierLoadTestOfTheNameIsForeign() {
    assertThat(JobReader.view("other", LoadJobs.CONTAINER, job(), List.of(), NOW))
        .isEqualTo(new JobView.Foreign());
    assertThat(JobReader.view("uid", LoadJobs.CONTAINER, null, List.of(), NOW))
        .isEqualTo(new JobView.Absent());
  }

  @Test
  void reportsTheTerminationMessageOfItsContainer() {
    assertThat(view(job(), pod(terminated(0, "Completed", "{}"))))
        .isEqualTo(new JobView.Succeeded("{}", Optional.empty(), Optional.empty()));
    assertThat(view(ended("Complete", "CompletionsReached"), NO_POD))
        .as("its pod is gone")
        .isEqualTo(new JobView.Succeeded("", Optional.empty(), Optional.empty()));
  }

  @Test
  void aRunningContainerRuns() {
    ContainerState runs = new ContainerStateBuilder().withNewRunning().endRunning().build();
    assertThat(view(job(), pod(runs))).isEqualTo(new JobView.Running());
    assertThat(view(job(), NO_POD)).isEqualTo(new JobView.Pending(NOW, Optional.empty()));
  }

  @Test
  void aJobForWhichNoPodCouldBeMadePointsToItsEvents() {
    Job job =
        new JobBuilder(job())
            .editMetadata()
            .withCreationTimestamp(NOW.minusSeconds(29).toString())
            .endMetadata()
            .build();
    assertThat(((JobView.Pending) view(job, NO_POD)).trouble()).isEmpty();
    job.getMetadata().setCreationTimestamp(NOW.minusSeconds(30).toString());
    assertThat(((JobView.Pending) view(job, NO_POD)).trouble())
        .contains(
            new JobView.Trouble(
                false,
                false,
                false,
                "its pod could not be created; see the Events of Job sweep-0"));
    assertThat(((JobView.Pending) view(job, pod().build())).trouble()).isEmpty();
  }

  @Test
  void anExitCodeIsReportedWithTheLastLine() {
    JobView.Failed exit =
        failed(job(), pod(terminated(2, "Error", "a\nkvorum: keys must be more\n")));
    assertThat(exit.cause()).isEqualTo(JobView.Cause.EXIT);
    assertThat(exit.message()).isEqualTo("wrk2 exited with code 2: kvorum: keys must be more");
  }

  @Test
  void killedJobsAreDistinguishedFromFailedOnes() {
    assertThat(failed(job(), pod(terminated(137, "OOMKilled", null))))
        .isEqualTo(
            new JobView.Failed(
                JobView.Cause.KILLED, "its container used more memory than its limit"));
    assertThat(failed(job(), pod(terminated(137, "Error", null))).message())
        .isEqualTo("its container was killed with signal 9");
    assertThat(failed(ended("Failed", "BackoffLimitExceeded"), NO_POD).cause())
        .isEqualTo(JobView.Cause.KILLED);
  }

  @Test
  void reportsEvictionAndTheDeadline() {
    Pod evicted =
        pod()
            .editStatus()
            .withPhase("Failed")
            .withReason("Evicted")
            .withMessage("disk")
            .endStatus()
            .build();
    assertThat(failed(job(), evicted))
        .isEqualTo(new JobView.Failed(JobView.Cause.EVICTED, "its pod was evicted: disk"));
    Pod drained =
        new PodBuilder(pod(terminated(137, "Error", null)))
            .editStatus()
            .addNewCondition()
            .withType("DisruptionTarget")
            .withStatus("True")
            .withReason("EvictionByEvictionAPI")
            .endCondition()
            .endStatus()
            .build();
    assertThat(failed(job(), drained).cause()).isEqualTo(JobView.Cause.EVICTED);
    assertThat(failed(ended("Failed", "DeadlineExceeded"), NO_POD).cause())
        .isEqualTo(JobView.Cause.DEADLINE);
  }

  @Test
  void problemsAreReportedInTheSameWordsThroughout() {
    JobView first = view(job(), pod(waiting("ErrImagePull")));
    assertThat(first)
        .isEqualTo(view(job(), pod(waiting("ImagePullBackOff"))))
        .isEqualTo(
            new JobView.Pending(
                NOW,
                Optional.of(
                    new JobView.Trouble(
                        true, true, false, "the image wrk2:none cannot be pulled"))));
    assertThat(((JobView.Pending) view(job(), pod(waiting("InvalidImageName")))).trouble())
        .hasValueSatisfying(it -> assertThat(it.hopeless()).isTrue());
    assertThat(view(job(), pod(waiting("ContainerCreating"))))
        .isEqualTo(new JobView.Pending(NOW, Optional.empty()));
    Pod unschedulable =
        pod()
            .editStatus()
            .addNewCondition()
            .withType("PodScheduled")
            .withStatus("False")
            .withMessage("0/3 nodes")
            .endCondition()
            .endStatus()
            .build();
    assertThat(((JobView.Pending) view(job(), unschedulable)).trouble())
        .contains(
            new JobView.Trouble(false, false, false, "its pod cannot be scheduled: 0/3 nodes"));
  }
}
