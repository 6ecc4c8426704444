package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.observe.ResultReader;
import dev.kvorum.operator.loadtest.resources.LoadJobs;
import dev.kvorum.operator.view.JobView;
import java.time.Duration;
import java.util.Optional;

/** Plans the next step of a load test: the fill, then each rate once, one after the other. */
public final class LoadPlanner {
  /** Time to wait for an image, since a registry may be unavailable for a moment. */
  static final Duration IMAGE_WAIT_MAX = Duration.ofMinutes(2);

  /** One key in this many may have failed to be written. */
  private static final long FILL_ERRORS_ONE_IN = 100;

  private LoadPlanner() {}

  /** Returns the next step. */
  public static LoadStep plan(LoadObserved there) {
    if (there.deleting()) {
      return new LoadStep.Rest();
    }
    if (there.status().ended()) {
      return cleanedUp(there);
    }
    return there.status().started() ? goOn(there) : begin(there);
  }

  /**
   * Removes Jobs that are still active after the end, because their image was never available or
   * their cluster was deleted.
   */
  private static LoadStep cleanedUp(LoadObserved there) {
    for (int attempt = 0; attempt < there.fills().size(); attempt++) {
      if (there.fills().get(attempt).active()) {
        return new LoadStep.RemoveJob(LoadJobs.fillName(there.name(), attempt));
      }
    }
    for (int step = 0; step < there.steps().size(); step++) {
      if (there.steps().get(step).active()) {
        return new LoadStep.RemoveJob(LoadJobs.name(there.name(), step));
      }
    }
    return new LoadStep.Rest();
  }

  private static LoadStep begin(LoadObserved there) {
    Optional<LoadStep> foreign = foreign(there);
    if (foreign.isPresent()) {
      return foreign.get();
    }
    if (there.rival().isPresent()) {
      return new LoadStep.Wait(
          LoadReason.ANOTHER_LOAD_TEST,
          there.rival().get() + " of cluster " + there.spec().cluster() + " goes first",
          false);
    }
    return LoadReadiness.beforeBegin(there)
        .orElseGet(() -> new LoadStep.Begin(there.target().orElseThrow().id()));
  }

  private static Optional<LoadStep> foreign(LoadObserved there) {
    boolean any =
        there.fills().stream().anyMatch(JobView.Foreign.class::isInstance)
            || there.steps().stream().anyMatch(JobView.Foreign.class::isInstance);
    return any
        ? Optional.of(
            new LoadStep.Wait(
                LoadReason.ANOTHER_LOAD_TEST,
                "Jobs with the required names belong to another owner",
                true))
        : Optional.empty();
  }

  private static LoadStep goOn(LoadObserved there) {
    if (there.step() >= there.spec().rates().size()) {
      return new LoadStep.Complete();
    }
    String cluster = "cluster " + there.spec().cluster();
    if (there.target().isEmpty()) {
      return new LoadStep.Fail(
          LoadReason.TARGET_MISSING, cluster + " was deleted during the load test");
    }
    String id = there.target().get().id();
    if (!id.equals(there.status().clusterId() == null ? "" : there.status().clusterId())) {
      return new LoadStep.Fail(
          LoadReason.SUPERSEDED, cluster + " was deleted and recreated during the load test");
    }
    if (there.mustFill() && !there.status().filled()) {
      return fill(there);
    }
    int step = there.step();
    JobView job = there.steps().get(step);
    long rate = there.spec().rates().get(step);
    if (job instanceof JobView.Absent) {
      return next(there, new LoadStep.CreateJob(step, rate));
    }
    String what = "rate " + (step + 1) + " of " + there.spec().rates().size() + ", " + rate + "/s";
    return watch(there, job, LoadReason.OFFERING, what, done -> record(there, done, rate, what));
  }

  private static LoadStep fill(LoadObserved there) {
    int attempt = 0;
    while (attempt + 1 < there.fills().size() && leftKeysOut(there, there.fills().get(attempt))) {
      attempt++;
    }
    JobView job = there.fills().get(attempt);
    if (job instanceof JobView.Absent) {
      return next(there, new LoadStep.CreateFill(attempt));
    }
    String what = "the fill with " + there.spec().keys() + " keys";
    return watch(there, job, LoadReason.FILLING, what, done -> filled(there, done));
  }

  private static boolean leftKeysOut(LoadObserved there, JobView job) {
    return job instanceof JobView.Succeeded done
        && ResultReader.read(done.message()).filter(read -> leftKeysOut(there, read)).isPresent();
  }

  private static boolean leftKeysOut(LoadObserved there, ResultReader.Measured read) {
    long keys = there.spec().keys();
    return read.requests() < keys || read.errors().total() > keys / FILL_ERRORS_ONE_IN;
  }

  /** Creates a Job once its scripts exist, and the cluster is ready and knows its user. */
  private static LoadStep next(LoadObserved there, LoadStep create) {
    return there.scripts()
        ? LoadReadiness.beforeJob(there).orElse(create)
        : new LoadStep.PutScripts();
  }

  private interface WhenDone {
    LoadStep then(JobView.Succeeded done);
  }

  private static LoadStep watch(
      LoadObserved there, JobView job, LoadReason running, String what, WhenDone whenDone) {
    return switch (job) {
      case JobView.Absent _ -> throw new IllegalStateException("no Job to watch");
      case JobView.Foreign _ ->
          new LoadStep.Fail(
              LoadReason.SUPERSEDED, "the Job for " + what + " now belongs to another owner");
      case JobView.Pending pending -> pending(there, pending, what);
      case JobView.Running _ -> new LoadStep.Wait(running, what, false);
      case JobView.Succeeded done -> whenDone.then(done);
      case JobView.Failed failed ->
          new LoadStep.Fail(
              reason(failed.cause()),
              what + ": " + failed.message() + lastTrouble(there, failed, what));
    };
  }

  /**
   * Returns what prevented the start of its pod: a Job past its deadline no longer has a pod that
   * reports it.
   */
  private static String lastTrouble(LoadObserved there, JobView.Failed failed, String what) {
    return failed.cause() != JobView.Cause.DEADLINE
        ? ""
        : there
            .lastSeenPending()
            .map(last ->
                "; when last seen, its container had not started: " + last.replace(what + ": ", ""))
            .orElse("");
  }

  private static LoadReason reason(JobView.Cause cause) {
    return switch (cause) {
      case EXIT -> LoadReason.JOB_FAILED;
      case KILLED -> LoadReason.POD_KILLED;
      case EVICTED -> LoadReason.POD_EVICTED;
      case DEADLINE -> LoadReason.DEADLINE_EXCEEDED;
    };
  }

  private static LoadStep pending(LoadObserved there, JobView.Pending pending, String what) {
    if (pending.trouble().isEmpty()) {
      return new LoadStep.Wait(LoadReason.POD_PENDING, what + ": its pod is starting", false);
    }
    JobView.Trouble trouble = pending.trouble().get();
    LoadReason reason = trouble.image() ? LoadReason.IMAGE_UNAVAILABLE : LoadReason.POD_PENDING;
    boolean late = there.now().isAfter(pending.since().plus(IMAGE_WAIT_MAX));
    return trouble.hopeless() || (trouble.image() && late)
        ? new LoadStep.Fail(reason, what + ": " + trouble.message())
        : new LoadStep.Wait(reason, what + ": " + trouble.message(), true);
  }

  private static LoadStep filled(LoadObserved there, JobView.Succeeded done) {
    Optional<ResultReader.Measured> read = ResultReader.read(done.message());
    if (read.isEmpty()) {
      return unreadable("the fill", done.message());
    }
    long keys = there.spec().keys();
    long errors = read.get().errors().total();
    if (leftKeysOut(there, read.get())) {
      return new LoadStep.Fail(
          LoadReason.FILL_INCOMPLETE,
          "the last of "
              + there.fills().size()
              + " attempts wrote "
              + read.get().requests()
              + " of "
              + keys
              + " keys, with "
              + errors
              + " errors");
    }
    return new LoadStep.Filled(keys + " keys were written, with " + errors + " errors");
  }

  private static LoadStep record(
      LoadObserved there, JobView.Succeeded done, long rate, String what) {
    Optional<ResultReader.Measured> read =
        ResultReader.read(done.message()).filter(it -> it.offered() == rate);
    return read.<LoadStep>map(it -> new LoadStep.Measured(Results.of(there.step(), it, done)))
        .orElseGet(() -> unreadable(what, done.message()));
  }

  private static LoadStep unreadable(String what, String message) {
    return new LoadStep.Fail(
        LoadReason.UNREADABLE_RESULT,
        what
            + ": its container reported "
            + (message.isEmpty() ? "no result" : "an invalid result: " + start(message)));
  }

  private static String start(String message) {
    return message.substring(0, Math.min(message.length(), 80)).replace('\n', ' ');
  }
}
