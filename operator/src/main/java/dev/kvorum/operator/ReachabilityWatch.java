package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.EventDraft;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.observe.PodGates;
import dev.kvorum.operator.observe.ReportSource;
import dev.kvorum.operator.plan.ReachabilityPlanner;
import dev.kvorum.operator.view.NodeReport;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes the readiness gates of members. It fetches the nodes' reports twice a second,
 * much more often than the reconciliation does, and therefore takes all objects from caches. A gate
 * closes only if two rounds in a row want it closed. While no operator runs, gates stay as they
 * are; the node of a new pod opens its own.
 */
final class ReachabilityWatch implements AutoCloseable {
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(500);
  private static final Duration REPORT_TIMEOUT = Duration.ofMillis(500);
  private static final Logger log = LoggerFactory.getLogger(ReachabilityWatch.class);

  /** A cluster with its topology and pods, from caches. */
  record Watched(KvorumCluster cluster, KvorumTopology topology, List<Pod> pods) {}

  private final Supplier<List<Watched>> clusters;
  private final ReportSource reports;
  private final Writes writes;
  private final EventWriter events;
  private final InstantSource clock;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("reachability").factory());
  private final ExecutorService perCluster = Executors.newVirtualThreadPerTaskExecutor();

  /** Uids of the pods whose gates the last round wanted closed. */
  private Set<String> unreachable = Set.of();

  /**
   * Creates a watch that is not started yet.
   *
   * @param clusters the clusters that this operator manages now; none while it does not lead
   */
  ReachabilityWatch(
      Supplier<List<Watched>> clusters, ReportSource reports, Writes writes, InstantSource clock) {
    this.clusters = clusters;
    this.reports = reports;
    this.writes = writes;
    this.events = new EventWriter(writes);
    this.clock = clock;
  }

  void start() {
    long millis = BETWEEN_ROUNDS.toMillis();
    thread.scheduleWithFixedDelay(this::round, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Checks all clusters in parallel, so that the dead machines of one do not delay the others. */
  void round() {
    try {
      Set<String> now = ConcurrentHashMap.newKeySet();
      perCluster.invokeAll(
          clusters.get().stream()
              .map(it -> Executors.callable(() -> guarded(it, unreachable, now)))
              .toList());
      unreachable = now;
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException unforeseen) {
      // A periodic task that throws is not run again.
      log.error("The reachability of members was not checked", unforeseen);
    }
  }

  private void guarded(Watched there, Set<String> before, Set<String> now) {
    try {
      check(there, before, now);
    } catch (RuntimeException failure) {
      log.warn(
          "{}: the reachability of members was not checked: {}",
          there.cluster().getMetadata().getName(),
          failure.getMessage());
    }
  }

  /**
   * Checks one cluster.
   *
   * @param before uids of the pods whose gates the last round wanted closed
   * @param now takes those of this round
   */
  private void check(Watched there, Set<String> before, Set<String> now) {
    if (there.cluster().getSpec().paused()
        || there.cluster().getMetadata().getDeletionTimestamp() != null) {
      return;
    }
    Map<String, Pod> pods =
        there.pods().stream()
            .filter(PodGates::hasGate)
            .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
    Set<String> members =
        there.topology().getSpec().members().stream()
            .map(TopologyMember::name)
            .collect(Collectors.toSet());
    List<NodeReport> said =
        reports.fetch(ReportSource.addresses(pods.values()), REPORT_TIMEOUT).values().stream()
            .filter(it -> it.cluster().equals(there.topology().getSpec().clusterId()))
            .toList();
    Map<String, Boolean> changes =
        ReachabilityPlanner.changes(
            members, pods.values().stream().map(PodGates::view).toList(), said);
    changes.forEach((name, reachable) -> {
      Pod pod = Objects.requireNonNull(pods.get(name));
      String uid = pod.getMetadata().getUid();
      if (!reachable) {
        now.add(uid);
      }
      if (reachable || before.contains(uid)) {
        set(there.cluster(), pod, reachable);
      }
    });
  }

  private void set(KvorumCluster cluster, Pod pod, boolean reachable) {
    boolean wasClosed = PodGates.view(pod).reachable().filter(open -> !open).isPresent();
    String name = pod.getMetadata().getName();
    try {
      writes.reachable(pod, reachable, clock.instant());
    } catch (KubernetesClientException failure) {
      // The pod is gone, or was replaced; otherwise the next round tries again.
      log.warn("The readiness gate of {} was not set: {}", name, failure.getMessage());
      return;
    }
    if (!reachable) {
      events.emit(
          cluster,
          EventDraft.warning(
              Reason.MEMBER_UNREACHABLE.label(),
              name + " gets no requests of clients: most members are not connected to it"),
          clock.instant());
    } else if (wasClosed) {
      events.emit(
          cluster,
          EventDraft.normal(
              Reason.MEMBER_REACHABLE.label(), name + " gets requests of clients again"),
          clock.instant());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    perCluster.shutdownNow();
  }
}
