package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.resources.LoadUsers;
import dev.kvorum.operator.view.JobUser;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether load can be offered: the cluster is ready and, if it needs users, knows that of
 * the load test. A wait becomes a failure once it has taken too long.
 */
final class LoadReadiness {
  private LoadReadiness() {}

  /** Returns what prevents the start; empty if nothing does. */
  static Optional<LoadStep> beforeBegin(LoadObserved there) {
    return waitForTarget(there).or(() -> waitForName(there)).map(wait -> bounded(there, wait));
  }

  /** Returns what has to happen before a Job is created; empty if nothing has to. */
  static Optional<LoadStep> beforeJob(LoadObserved there) {
    Optional<LoadStep> wait = beforeBegin(there);
    return wait.isPresent() ? wait : userFirst(there);
  }

  private static Optional<LoadStep.Wait> waitForTarget(LoadObserved there) {
    String cluster = "cluster " + there.spec().cluster();
    if (there.target().isEmpty()) {
      return Optional.of(
          new LoadStep.Wait(
              LoadReason.TARGET_MISSING, "there is no " + cluster + " in this namespace", true));
    }
    return there
        .target()
        .get()
        .notReady()
        .map(why ->
            new LoadStep.Wait(
                LoadReason.TARGET_NOT_READY, cluster + " is not ready: " + why, true));
  }

  private static Optional<LoadStep.Wait> waitForName(LoadObserved there) {
    return there
        .target()
        .map(LoadObserved.Target::user)
        .filter(JobUser.Foreign.class::isInstance)
        .map(foreign ->
            new LoadStep.Wait(
                LoadReason.FOREIGN_USER,
                name(there) + " belongs to another owner: it is neither used nor changed",
                true));
  }

  // Not before the start: a test that waits for another one needs no user.
  private static Optional<LoadStep> userFirst(LoadObserved there) {
    return switch (there.target().orElseThrow().user()) {
      case JobUser.Unneeded _, JobUser.Ready _, JobUser.Foreign _ -> Optional.empty();
      case JobUser.Absent _ -> Optional.of(new LoadStep.CreateUser(LoadUsers.name(there.name())));
      case JobUser.NotReady user ->
          Optional.of(
              bounded(
                  there,
                  new LoadStep.Wait(
                      LoadReason.USER_NOT_READY,
                      name(there) + " is not ready: " + user.why(),
                      user.trouble())));
    };
  }

  private static String name(LoadObserved there) {
    return "KvorumUser " + LoadUsers.name(there.name());
  }

  private static LoadStep bounded(LoadObserved there, LoadStep.Wait wait) {
    return isLate(there)
        ? new LoadStep.Fail(
            wait.reason(), wait.message() + "; waited for " + there.spec().waitMax())
        : wait;
  }

  private static boolean isLate(LoadObserved there) {
    String since = there.status().waitingSince();
    return since != null
        && there
            .now()
            .isAfter(Instant.parse(since).plusSeconds(Durations.seconds(there.spec().waitMax())));
  }
}
