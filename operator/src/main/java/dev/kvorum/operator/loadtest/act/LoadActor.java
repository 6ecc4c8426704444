package dev.kvorum.operator.loadtest.act;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.loadtest.observe.LoadSnapshot;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import dev.kvorum.operator.loadtest.resources.LoadJobs;
import dev.kvorum.operator.loadtest.resources.LoadScripts;
import dev.kvorum.operator.loadtest.resources.LoadUsers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Objects;

/** Executes the steps that write an object; the other steps only change the status. */
public final class LoadActor {
  private final Writes writes;
  private final String image;

  /**
   * Creates an actor.
   *
   * @param image the image of load tests that name none
   */
  public LoadActor(Writes writes, String image) {
    this.writes = writes;
    this.image = image;
  }

  /** Executes the step and returns whether it was a write of an object. */
  public boolean act(LoadSnapshot there, LoadStep step) {
    switch (step) {
      case LoadStep.PutScripts _ -> scripts(there);
      case LoadStep.CreateUser _ -> writes.create(LoadUsers.of(there.test()));
      case LoadStep.CreateFill create ->
          writes.create(
              LoadJobs.fill(there.test(), create.attempt(), there.view().access(), image));
      case LoadStep.CreateJob create ->
          writes.create(LoadJobs.of(there.test(), create.step(), there.view().access(), image));
      case LoadStep.RemoveJob remove ->
          writes.removeWithPods(Objects.requireNonNull(there.jobs().get(remove.job())));
      case LoadStep.Begin _,
          LoadStep.Filled _,
          LoadStep.Measured _,
          LoadStep.Complete _,
          LoadStep.Fail _,
          LoadStep.Wait _,
          LoadStep.Rest _ -> {
        return false;
      }
    }
    return true;
  }

  private void scripts(LoadSnapshot there) {
    ConfigMap wanted = LoadScripts.of(there.test());
    if (there.scripts().isEmpty()) {
      writes.create(wanted);
    } else {
      writes.replace(
          new ConfigMapBuilder(there.scripts().get()).withData(wanted.getData()).build());
    }
  }
}
