package dev.kvorum.operator.loadtest.observe;

import dev.kvorum.operator.api.KvorumLoadTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import java.util.Optional;

/**
 * The objects as they were read, for writing: each has the resource version that its update
 * requires.
 *
 * @param view the same state as values, for planning
 * @param jobs the existing Jobs, by name
 */
public record LoadSnapshot(
    LoadObserved view, KvorumLoadTest test, Optional<ConfigMap> scripts, Map<String, Job> jobs) {
  public LoadSnapshot {
    jobs = Map.copyOf(jobs);
  }
}
