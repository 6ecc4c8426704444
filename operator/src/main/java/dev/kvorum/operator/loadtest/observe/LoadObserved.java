package dev.kvorum.operator.loadtest.observe;

import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.loadtest.resources.LoadAccess;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The observed state of a load test and everything that it depends on, at one moment.
 *
 * @param now the time at which this was read
 * @param deleting whether the load test is being deleted
 * @param target the cluster, if one of that name exists
 * @param rival the load test or Job that has precedence on that cluster, if any
 * @param scripts whether the scripts exist in their desired state
 * @param fills one Job for each attempt to write every key once
 * @param steps one Job for each rate
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
   * @param id its cluster id; empty before it has one
   * @param notReady why it is not ready, if it is not
   * @param tls whether clients have to use TLS
   * @param user the user that the requests are to come from
   */
  public record Target(String id, Optional<String> notReady, boolean tls, JobUser user) {}

  /** Returns what the cluster demands of its clients. */
  public LoadAccess access() {
    return new LoadAccess(
        target.filter(Target::tls).isPresent(),
        target
            .map(Target::user)
            .filter(JobUser.Ready.class::isInstance)
            .map(user -> ((JobUser.Ready) user).secret()));
  }

  /** Returns the index of the rate that is next or is being offered. */
  public int step() {
    return status.results().size();
  }

  /**
   * Returns the status's message on a pod whose container had not started when the status was last
   * written.
   */
  public Optional<String> lastSeenPending() {
    return status.conditions().stream()
        .filter(it -> it.getType().equals("Progressing"))
        .filter(it -> it.getReason().equals(LoadReason.POD_PENDING.label()))
        .findFirst()
        .map(Condition::getMessage);
  }

  /** Returns whether every key must be written once before the rates are offered. */
  public boolean mustFill() {
    return spec.fill() == null ? spec.workload().reads() : spec.fill();
  }
}
