package dev.kvorum.operator;

import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.observe.Snapshot;
import dev.kvorum.operator.plan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides when a cluster is reconciled again. Tracks how long each cluster has waited for the same
 * reason, so that long waits are polled less often than twice a second. The state is only in
 * memory: after a restart, the operator polls at the short interval first.
 */
final class WaitBackoff {
  /** Duration from which on a wait counts as long. */
  static final Duration SHORT = Duration.ofSeconds(30);

  /** A cluster without a reconciliation for this long counts as deleted. */
  private static final Duration KNOWN = Duration.ofMinutes(10);

  private final Map<Key, Waiting> waits = new ConcurrentHashMap<>();

  private record Key(String namespace, String name) {}

  private record Waiting(Reason reason, Instant since, Instant last) {}

  /** Returns the delay of the next reconciliation of a cluster after a step or wait. */
  Duration delay(Snapshot there, Step step) {
    Duration next = next(there, step);
    boolean isSettled = there.users().areSettled(there.usersRead());
    return isSettled || next.compareTo(Reconciliation.LATER) < 0 ? next : Reconciliation.LATER;
  }

  private Duration next(Snapshot there, Step step) {
    String namespace = there.cluster().getMetadata().getNamespace();
    if (!(step instanceof Step.Wait)) {
      waits.remove(new Key(namespace, there.view().name()));
    }
    return switch (step) {
      case Step.Rest _, Step.Reject _ -> Reconciliation.AT_REST;
      case Step.Wait wait ->
          switch (wait.phase()) {
            case PAUSED -> Reconciliation.AT_REST;
            case DEGRADED -> Reconciliation.LATER;
            case CREATING,
                RESTORING,
                READY,
                REJECTED,
                SCALING_OUT,
                SCALING_IN,
                REMOVING,
                MOVING,
                CANCELLING,
                UPDATING,
                RESIZING ->
                wait.reason() == Reason.UPDATE_STALLED
                        || takesLong(
                            namespace, there.view().name(), wait.reason(), there.view().now())
                    ? Reconciliation.LATER
                    : Reconciliation.SOON;
          };
      // One of the Jobs, which takes seconds to go.
      case Step.RemoveRestoreJob _ -> Reconciliation.SOON;
      default -> Reconciliation.AT_ONCE;
    };
  }

  /** Returns whether this cluster has waited for this reason for at least {@link #SHORT}. */
  private boolean takesLong(String namespace, String name, Reason reason, Instant now) {
    waits.values().removeIf(waiting -> waiting.last().plus(KNOWN).isBefore(now));
    Waiting is =
        waits.compute(
            new Key(namespace, name),
            (key, was) ->
                new Waiting(
                    reason, was != null && was.reason() == reason ? was.since() : now, now));
    return !now.isBefore(is.since().plus(SHORT));
  }
}
