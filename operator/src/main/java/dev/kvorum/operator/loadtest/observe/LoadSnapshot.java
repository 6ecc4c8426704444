package dev.kvorum.operator.loadtest.observe;

import dev.kvorum.operator.api.KvorumLoadTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import java.util.Optional;

/**
 * What was read, for the writer: each object with the resource version that its update requires.
 *
 * @param view the same as values, for planning
 * @param jobs those that are there, by name
 */
public record LoadSnapshot(
    LoadObserved view, KvorumLoadTest test, Optional<ConfigMap> scripts, Map<String, Job> jobs) {
  public LoadSnapshot {
    jobs = Map.copyOf(jobs);
  }
}
