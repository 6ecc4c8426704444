package dev.kvorum.operator.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a load test does about its user before it offers load. */
class LoadReadinessTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final JobView NONE = new JobView.Absent();
  private static final LoadStep CREATE_USER = new LoadStep.CreateUser("sweep-load");

  private boolean started = true;
  private boolean scripts = true;
  private LoadWorkload workload = LoadWorkload.PUT;
  private JobView job = NONE;
  private @Nullable String waitingSince;

  @SuppressWarnings("NullAway") // what is left out comes as null
  private LoadStep plan(JobUser user) {
    return LoadPlanner.plan(
        new LoadObserved(
            NOW,
            "sweep",
            false,
            LoadTests.spec(workload, 1000L),
            new KvorumLoadTestStatus(
                1L,
                started ? LoadTestPhase.RUNNING : LoadTestPhase.WAITING,
                started ? NOW.toString() : null,
                null,
                waitingSince,
                started ? "id" : null,
                false,
                null,
                null,
                List.of(),
                List.of()),
            Optional.of(new LoadObserved.Target("id", Optional.empty(), true, user)),
            Optional.empty(),
            scripts,
            List.of(NONE, NONE, NONE),
            List.of(job)));
  }

  @Test
  void theUserIsCreatedOnceTheTestHasStarted() {
    started = false;
    assertThat(plan(new JobUser.Absent())).isEqualTo(new LoadStep.Begin("id"));
    started = true;
    scripts = false;
    assertThat(plan(new JobUser.Absent())).isEqualTo(new LoadStep.PutScripts());
    scripts = true;
    assertThat(plan(new JobUser.Absent())).isEqualTo(CREATE_USER);
    workload = LoadWorkload.GET;
    assertThat(plan(new JobUser.Absent())).as("before the fill").isEqualTo(CREATE_USER);
  }

  @Test
  void noJobIsCreatedBeforeNodesKnowTheUser() {
    for (boolean trouble : List.of(true, false)) {
      assertThat(plan(new JobUser.NotReady("why", trouble)))
          .isEqualTo(
              new LoadStep.Wait(
                  LoadReason.USER_NOT_READY, "KvorumUser sweep-load is not ready: why", trouble));
    }
    assertThat(plan(new JobUser.Ready("secret"))).isEqualTo(new LoadStep.CreateJob(0, 1000));
    assertThat(plan(new JobUser.Unneeded())).isEqualTo(new LoadStep.CreateJob(0, 1000));
    workload = LoadWorkload.GET;
    assertThat(plan(new JobUser.Ready("secret"))).isEqualTo(new LoadStep.CreateFill(0));
  }

  @Test
  void aJobThatRunsIsNotStoppedByItsUser() {
    job = new JobView.Running();
    assertThat(plan(new JobUser.NotReady("why", true)))
        .isEqualTo(new LoadStep.Wait(LoadReason.OFFERING, "rate 1 of 1, 1000/s", false));
  }

  @Test
  void aUserThatIsNeverReadyEndsTheTest() {
    waitingSince = NOW.minusSeconds(600).toString();
    assertThat(plan(new JobUser.NotReady("why", false))).isInstanceOf(LoadStep.Wait.class);
    waitingSince = NOW.minusSeconds(601).toString();
    assertThat(plan(new JobUser.NotReady("why", false)))
        .isEqualTo(
            new LoadStep.Fail(
                LoadReason.USER_NOT_READY,
                "KvorumUser sweep-load is not ready: why; waited for 10m"));
  }

  @Test
  void aForeignUserIsReportedBeforeTheStartAndLater() {
    String why = "KvorumUser sweep-load belongs to another owner: it is neither used nor changed";
    for (boolean at : List.of(true, false)) {
      started = at;
      waitingSince = null;
      assertThat(plan(new JobUser.Foreign()))
          .isEqualTo(new LoadStep.Wait(LoadReason.FOREIGN_USER, why, true));
      waitingSince = NOW.minusSeconds(601).toString();
      assertThat(plan(new JobUser.Foreign()))
          .isEqualTo(new LoadStep.Fail(LoadReason.FOREIGN_USER, why + "; waited for 10m"));
    }
  }
}
