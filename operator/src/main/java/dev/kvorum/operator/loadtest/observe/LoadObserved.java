package dev.kvorum.operator.loadtest.observe;

import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A load test and all that it depends on at one moment.
 *
 * @param now when this was read
 * @param deleting whether the load test is on its way out
 * @param target the cluster, if there is one of the name
 * @param rival what else puts that cluster under load and goes first
 * @param scripts whether the scripts are there as they should be
 * @param fills a Job for each attempt at putting every key once
 * @param steps a Job for each rate
 */
public record LoadObserved(
    Instant now,
    String name,
    boolean deleting,
    KvorumLoadTestSpec spec,
    KvorumLoadTestStatus status,
    Optional<Target> target,
    Optional<String> rival,
    boolean scripts,
    List<JobView> fills,
    List<JobView> steps) {
  public LoadObserved {
    fills = List.copyOf(fills);
    steps = List.copyOf(steps);
  }

  /**
   * The cluster under load.
   *
   * @param id which it is; empty before it is founded
   * @param notReady why it is not ready, if it is not
   */
  public record Target(String id, Optional<String> notReady) {}

  /** Which rate is next, or is being offered. */
  public int step() {
    return status.results().size();
  }

  /** The status's message on a pod whose container had not started when it was last written. */
  public Optional<String> lastSeenPending() {
    return status.conditions().stream()
        .filter(it -> it.getType().equals("Progressing"))
        .filter(it -> it.getReason().equals(LoadReason.POD_PENDING.label()))
        .findFirst()
        .map(Condition::getMessage);
  }

  /** Whether every key is to be put once. */
  public boolean mustFill() {
    return spec.fill() == null ? spec.workload().reads() : spec.fill();
  }
}
