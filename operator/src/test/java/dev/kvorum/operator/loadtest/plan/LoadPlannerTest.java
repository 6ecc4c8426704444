package dev.kvorum.operator.loadtest.plan;

import static dev.kvorum.operator.loadtest.LoadTests.message;
import static dev.kvorum.operator.loadtest.LoadTests.result;
import static dev.kvorum.operator.loadtest.LoadTests.spec;
import static dev.kvorum.operator.loadtest.LoadTests.target;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadResult;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoadPlannerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final JobView NONE = new JobView.Absent();
  private static final JobView PENDING = new JobView.Pending(NOW, Optional.empty());

  private KvorumLoadTestSpec spec = spec(LoadWorkload.PUT, 1000L, 2000L);
  private Optional<LoadObserved.Target> target = target("id", null);
  private Optional<String> rival = Optional.empty();
  private boolean deleting;
  private boolean scripts = true;
  private boolean filled;
  private final List<JobView> fills = new ArrayList<>(List.of(NONE, NONE, NONE));
  private final List<JobView> steps = new ArrayList<>(List.of(NONE, NONE));
  private final List<LoadResult> results = new ArrayList<>();
  private LoadTestPhase phase = LoadTestPhase.RUNNING;
  private @Nullable String waitingSince;
  private List<Condition> conditions = List.of();

  @SuppressWarnings("NullAway") // what is left out comes as null
  private LoadStep plan() {
    boolean started = phase != LoadTestPhase.WAITING;
    return LoadPlanner.plan(
        new LoadObserved(
            NOW,
            "sweep",
            deleting,
            spec,
            new KvorumLoadTestStatus(
                1L,
                phase,
                started ? NOW.toString() : null,
                null,
                waitingSince,
                started ? "id" : null,
                filled,
                null,
                null,
                results,
                conditions),
            target,
            rival,
            scripts,
            fills,
            steps));
  }

  private static JobView.Succeeded said(String message) {
    return new JobView.Succeeded(message, Optional.of("begun"), Optional.of("ended"));
  }

  private void waits(LoadReason reason, boolean trouble) {
    assertThat(plan())
        .isInstanceOfSatisfying(
            LoadStep.Wait.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.trouble()).isEqualTo(trouble);
            });
  }

  private void fails(LoadReason reason, String message) {
    assertThat(plan())
        .isInstanceOfSatisfying(
            LoadStep.Fail.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.message()).contains(message);
            });
  }

  @Test
  void oneRateComesAfterTheOther() {
    phase = LoadTestPhase.WAITING;
    assertThat(plan()).isEqualTo(new LoadStep.Begin("id"));
    phase = LoadTestPhase.RUNNING;
    scripts = false;
    assertThat(plan()).isEqualTo(new LoadStep.PutScripts());
    scripts = true;
    assertThat(plan()).isEqualTo(new LoadStep.CreateJob(0, 1000));
    steps.set(0, PENDING);
    waits(LoadReason.POD_PENDING, false);
    steps.set(0, new JobView.Running());
    waits(LoadReason.OFFERING, false);
    steps.set(0, said(message(1000)));
    LoadResult first = ((LoadStep.Measured) plan()).result();
    assertThat(first.step()).isZero();
    assertThat(first.startedAt()).isEqualTo("begun");
    assertThat(first.summary().achieved()).isEqualTo("983.61");
    assertThat(first.summary().p50()).isEqualTo("1.23ms");
    assertThat(first.summary().p99()).isEqualTo("5.68ms");
    assertThat(first.summary().p999()).isEqualTo("1000.00ms");
    assertThat(first.summary().errors()).isEqualTo(7);
    results.add(first);
    assertThat(plan()).isEqualTo(new LoadStep.CreateJob(1, 2000));
    results.add(result(1, 2000, 2000, 1));
    assertThat(plan()).isEqualTo(new LoadStep.Complete());
    phase = LoadTestPhase.COMPLETE;
    assertThat(plan()).isEqualTo(new LoadStep.Rest());
  }

  @Test
  void keysThatAreReadAreFilledInFirst() {
    spec = spec(LoadWorkload.GET, 1000L, 2000L);
    assertThat(plan()).isEqualTo(new LoadStep.CreateFill(0));
    fills.set(0, new JobView.Running());
    waits(LoadReason.FILLING, false);
    fills.set(0, said(message(100)));
    assertThat(plan()).isInstanceOf(LoadStep.Filled.class);
    filled = true;
    assertThat(plan()).isEqualTo(new LoadStep.CreateJob(0, 1000));
  }

  @Test
  void aFillingThatLeavesKeysOutIsRepeatedAndThenReported() {
    spec = spec(LoadWorkload.GET, 1000L, 2000L);
    fills.set(0, said(message(33)));
    assertThat(plan()).isEqualTo(new LoadStep.CreateFill(1));
    fills.set(1, new JobView.Running());
    waits(LoadReason.FILLING, false);
    fills.set(1, said(message(100)));
    assertThat(plan()).isInstanceOf(LoadStep.Filled.class);
    fills.set(1, said(message(33)));
    assertThat(plan()).isEqualTo(new LoadStep.CreateFill(2));
    fills.set(2, said(message(33)));
    fails(
        LoadReason.FILL_INCOMPLETE, "the last of 3 attempts wrote 990 of 1000 keys, with 7 errors");
  }

  @Test
  void aFillingThatFailedIsNotRepeated() {
    spec = spec(LoadWorkload.GET, 1000L, 2000L);
    fills.set(0, said(""));
    fails(LoadReason.UNREADABLE_RESULT, "the fill: its container reported no result");
    fills.set(0, new JobView.Failed(JobView.Cause.KILLED, "why"));
    fails(LoadReason.POD_KILLED, "why");
  }

  @Test
  void itWaitsForItsClusterBeforeItBeginsAndBetweenRates() {
    for (LoadTestPhase at : List.of(LoadTestPhase.WAITING, LoadTestPhase.RUNNING)) {
      phase = at;
      target = target("id", "MemberDown: kvorum-1");
      waits(LoadReason.TARGET_NOT_READY, true);
    }
    steps.set(0, new JobView.Running());
    waits(LoadReason.OFFERING, false);
    phase = LoadTestPhase.WAITING;
    target = Optional.empty();
    steps.set(0, NONE);
    waits(LoadReason.TARGET_MISSING, true);
  }

  @Test
  void itGivesUpAClusterThatIsNotReadyForTooLong() {
    for (LoadTestPhase at : List.of(LoadTestPhase.WAITING, LoadTestPhase.RUNNING)) {
      phase = at;
      target = target("id", "MemberDown: kvorum-1");
      waitingSince = NOW.minusSeconds(600).toString();
      waits(LoadReason.TARGET_NOT_READY, true);
      waitingSince = NOW.minusSeconds(601).toString();
      fails(LoadReason.TARGET_NOT_READY, "is not ready: MemberDown: kvorum-1; waited for 10m");
    }
    phase = LoadTestPhase.WAITING;
    rival = Optional.of("load test other");
    waits(LoadReason.ANOTHER_LOAD_TEST, false);
  }

  @Test
  void aClusterThatIsDeletedOrIsAnotherOneEndsIt() {
    target = Optional.empty();
    fails(LoadReason.TARGET_MISSING, "deleted");
    target = target("other", null);
    fails(LoadReason.SUPERSEDED, "recreated");
    target = target("id", null);
    steps.set(0, new JobView.Foreign());
    fails(LoadReason.SUPERSEDED, "another owner");
  }

  @Test
  void anotherLoadTestOfTheClusterRunsFirst() {
    phase = LoadTestPhase.WAITING;
    rival = Optional.of("load test first");
    waits(LoadReason.ANOTHER_LOAD_TEST, false);
    rival = Optional.empty();
    steps.set(1, new JobView.Foreign());
    waits(LoadReason.ANOTHER_LOAD_TEST, true);
    steps.set(1, NONE);
    fills.set(2, new JobView.Foreign());
    waits(LoadReason.ANOTHER_LOAD_TEST, true);
  }

  private static JobView pending(long seconds, boolean image, boolean hopeless) {
    return new JobView.Pending(
        NOW.minusSeconds(seconds), Optional.of(new JobView.Trouble(true, image, hopeless, "why")));
  }

  @Test
  void anImageThatCannotBeHadIsReportedAtOnceAndGivenUpLater() {
    steps.set(0, pending(1, true, false));
    waits(LoadReason.IMAGE_UNAVAILABLE, true);
    steps.set(0, pending(LoadPlanner.IMAGE_WAIT_MAX.toSeconds() + 1, true, false));
    fails(LoadReason.IMAGE_UNAVAILABLE, "why");
    steps.set(0, pending(1, true, true));
    fails(LoadReason.IMAGE_UNAVAILABLE, "why");
    steps.set(0, pending(1000, false, false));
    waits(LoadReason.POD_PENDING, true);
  }

  @Test
  void eachEndOfAJobHasAReason() {
    for (JobView.Cause cause : JobView.Cause.values()) {
      steps.set(0, new JobView.Failed(cause, "said so"));
      fails(
          switch (cause) {
            case EXIT -> LoadReason.JOB_FAILED;
            case KILLED -> LoadReason.POD_KILLED;
            case EVICTED -> LoadReason.POD_EVICTED;
            case DEADLINE -> LoadReason.DEADLINE_EXCEEDED;
          },
          "rate 1 of 2, 1000/s: said so");
    }
  }

  @Test
  void aJobThatNeverBeganEndsWithWhatKeptIt() {
    String late = "the Job took longer than its activeDeadlineSeconds";
    steps.set(0, new JobView.Failed(JobView.Cause.DEADLINE, late));
    conditions = List.of(progressing(LoadReason.OFFERING, "rate 1 of 2, 1000/s"));
    assertThat(((LoadStep.Fail) plan()).message()).endsWith(late);
    conditions =
        List.of(
            progressing(
                LoadReason.POD_PENDING, "rate 1 of 2, 1000/s: its pod cannot be scheduled: 0/3"));
    assertThat(((LoadStep.Fail) plan()).message())
        .isEqualTo(
            "rate 1 of 2, 1000/s: "
                + late
                + "; when last seen, its container had not started: its pod cannot be scheduled:"
                + " 0/3");
  }

  private static Condition progressing(LoadReason reason, String message) {
    return new ConditionBuilder()
        .withType("Progressing")
        .withReason(reason.label())
        .withMessage(message)
        .build();
  }

  @Test
  void aResultOfAnotherRateOrNoneIsUnreadable() {
    steps.set(0, said(message(2000)));
    fails(LoadReason.UNREADABLE_RESULT, "an invalid result");
    steps.set(0, said("Killed\n"));
    fails(LoadReason.UNREADABLE_RESULT, "Killed");
    steps.set(0, said(""));
    fails(LoadReason.UNREADABLE_RESULT, "no result");
  }

  @Test
  void aJobThatOutlivesTheEndIsRemoved() {
    phase = LoadTestPhase.FAILED;
    steps.set(1, pending(1000, true, false));
    assertThat(plan()).isEqualTo(new LoadStep.RemoveJob("sweep-1"));
    steps.set(1, new JobView.Failed(JobView.Cause.EXIT, ""));
    assertThat(plan()).isEqualTo(new LoadStep.Rest());
    fills.set(1, new JobView.Running());
    assertThat(plan()).isEqualTo(new LoadStep.RemoveJob("sweep-fill-second"));
    deleting = true;
    assertThat(plan()).isEqualTo(new LoadStep.Rest());
  }
}
