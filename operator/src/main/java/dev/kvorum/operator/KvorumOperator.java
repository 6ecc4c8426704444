package dev.kvorum.operator;

import dev.kvorum.operator.act.AssignedIds;
import dev.kvorum.operator.act.HostPaths;
import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.StepExecutor;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.backup.BackupObserver;
import dev.kvorum.operator.backup.schedule.ScheduleObserver;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.observe.HttpReports;
import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.observe.Observer;
import dev.kvorum.operator.observe.ReportSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator process: API client, reconcilers under the Java Operator SDK, health endpoints and
 * metrics.
 */
public final class KvorumOperator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KvorumOperator.class);

  /** Maximum number of concurrent reconciliations. */
  private static final int THREADS = 4;

  /** Time that a reconciliation in progress gets to finish at shutdown. */
  private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(5);

  /**
   * Time after which another candidate takes the lease of a leader that has stopped renewing it.
   */
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** Time for which a leader that cannot reach the API retries to renew its lease. */
  private static final Duration RENEW_WITHIN = Duration.ofSeconds(20);

  private static final Duration RENEW_EVERY = Duration.ofSeconds(5);

  /** Time-out of the check whether the API server has a kind. */
  private static final Duration DISCOVERY = Duration.ofSeconds(3);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final LoadTestMeters loadTestMeters = new LoadTestMeters(registry);
  private final KvorumLoadTestReconciler loadTests;
  private final KvorumBackupReconciler backups;
  private final BackupScheduleMeters scheduleMeters = new BackupScheduleMeters(registry);
  private final KvorumBackupScheduleReconciler schedules;
  private final KubernetesClient client;
  private final OperatorSettings settings;
  private final OperatorMeters meters;
  private final ReconcileGuard clusterGuard;
  private final ReconcileGuard loadTestGuard;
  private final ReconcileGuard scheduleGuard;
  private final Operator operator;
  private final ReachabilityWatch reachability;
  private final OperatorHttp http;
  private final Runnable lost;
  private volatile boolean started;

  /**
   * Creates an operator.
   *
   * @param lost called when this operator stops being the leader: it must not write any more
   */
  KvorumOperator(
      KubernetesClient client, ReportSource reports, OperatorSettings settings, Runnable lost)
      throws IOException {
    this.lost = lost;
    this.settings = settings;
    this.client = client;
    meters = new OperatorMeters(registry);
    clusterGuard = new ReconcileGuard(meters);
    loadTestGuard = new ReconcileGuard(meters);
    scheduleGuard = new ReconcileGuard(meters);
    new JvmMemoryMetrics().bindTo(registry);
    boolean assignedIds = settings.assignedIds();
    Writes writes =
        assignedIds ? new KubernetesWrites(client, AssignedIds::in) : new KubernetesWrites(client);
    Reconciliation reconciliation =
        new Reconciliation(
            new Observer(
                client,
                reports,
                InstantSource.system(),
                settings.leaseNamespace(),
                settings.defaultImage()),
            new KeptReads(client, InstantSource.system(), KeptReads.LIFE),
            writes,
            new StepExecutor(
                writes,
                () -> UUID.randomUUID().toString(),
                // Nothing may change the owner of paths there, and the owner is not known.
                assignedIds ? cluster -> false : new HostPaths(client)),
            meters);
    operator = new Operator(sdk -> configure(sdk, client, settings));
    KvorumClusterReconciler clusters =
        new KvorumClusterReconciler(
            reconciliation,
            clusterGuard,
            () -> isDefined(KvorumUser.class) && isDefined(KvorumRole.class));
    register(clusters, settings);
    reachability =
        new ReachabilityWatch(
            () -> isLeader() ? clusters.watched() : List.of(),
            reports,
            writes,
            InstantSource.system());
    loadTests =
        new KvorumLoadTestReconciler(
            new LoadTestReconciliation(
                new LoadObserver(client, InstantSource.system()),
                writes,
                settings.loadTestImage(),
                meters,
                loadTestMeters),
            loadTestGuard);
    backups =
        new KvorumBackupReconciler(
            new BackupReconciliation(
                new BackupObserver(client, InstantSource.system()), writes, meters),
            new ReconcileGuard(meters));
    schedules =
        new KvorumBackupScheduleReconciler(
            new BackupScheduleReconciliation(
                new ScheduleObserver(client, InstantSource.system()),
                writes,
                meters,
                scheduleMeters),
            scheduleGuard);
    meters.leader(() -> started && isLeader());
    http = new OperatorHttp(settings.httpPort(), this::healthy, () -> started, this::metrics);
  }

  /** Only the leader starts event sources. */
  private boolean isLeader() {
    return operator.getRuntimeInfo().isStarted();
  }

  private <T extends HasMetadata> void register(
      Reconciler<T> reconciler, OperatorSettings settings) {
    operator.register(
        reconciler,
        controller -> {
          if (!settings.namespaces().isEmpty()) {
            controller.settingNamespaces(settings.namespaces());
          }
        });
  }

  private void configure(
      ConfigurationServiceOverrider sdk, KubernetesClient client, OperatorSettings settings) {
    sdk.withKubernetesClient(client)
        .withConcurrentReconciliationThreads(THREADS)
        .withReconciliationTerminationTimeout(SHUTDOWN_GRACE)
        .withCloseClientOnStop(false)
        .withUseSSAToPatchPrimaryResource(false);
    settings
        .leaseNamespace()
        .ifPresent(namespace -> {
          LeaderElectionConfigurationBuilder lease =
              LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(settings.leaseName())
                  .withLeaseNamespace(namespace)
                  .withLeaseDuration(LEASE)
                  .withRenewDeadline(RENEW_WITHIN)
                  .withRetryPeriod(RENEW_EVERY)
                  // Otherwise the SDK would also exit the process when the operator is closed.
                  .withExitOnStopLeading(false)
                  .withLeaderCallbacks(
                      new LeaderCallbacks(() -> {}, this::stoppedLeading, leader -> {}));
          settings.identity().ifPresent(lease::withIdentity);
          sdk.withLeaderElectionConfiguration(lease.build());
        });
  }

  /**
   * Returns whether the event sources are healthy. A standby is healthy: its event sources are not
   * started.
   */
  private boolean healthy() {
    return !operator.getRuntimeInfo().isStarted()
        || operator.getRuntimeInfo().allEventSourcesAreHealthy();
  }

  private void stoppedLeading() {
    if (started) {
      log.error("Leadership lost");
      lost.run();
    }
  }

  /** Starts the operator or, where leaders are elected, its candidacy. */
  void start() {
    registerIfDefined(KvorumLoadTest.class, loadTests);
    registerIfDefined(KvorumBackup.class, backups);
    registerIfDefined(KvorumBackupSchedule.class, schedules);
    started = true;
    operator.start();
    reachability.start();
  }

  private <T extends HasMetadata> void registerIfDefined(Class<T> kind, Reconciler<T> reconciler) {
    if (isDefined(kind)) {
      register(reconciler, settings);
    } else {
      log.warn(
          "The {} CRD is not installed (helm/kvorum/crds): objects of it are ignored",
          kind.getSimpleName());
    }
  }

  /**
   * Returns whether the CRD of a kind is installed. Helm does not upgrade CRDs, and an operator
   * that is newer than the CRDs still has to manage clusters. An API server that does not respond
   * counts as having the CRD: the start of the operator waits for the server.
   */
  private boolean isDefined(Class<? extends HasMetadata> kind) {
    return CompletableFuture.supplyAsync(() -> client.supports(kind))
        .completeOnTimeout(true, DISCOVERY.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(unknown -> true)
        .join();
  }

  int httpPort() {
    return http.port();
  }

  String metrics() {
    meters.removeUnless(clusterGuard::mayExist);
    loadTestMeters.removeUnless(loadTestGuard::mayExist);
    scheduleMeters.refresh(scheduleGuard::mayExist);
    return registry.scrape();
  }

  @Override
  public void close() {
    started = false;
    reachability.close();
    operator.stop();
    http.close();
    registry.close();
  }

  /** Starts the operator, which runs until the process is terminated. */
  public static void main(String[] arguments) throws IOException {
    OperatorSettings settings = OperatorSettings.of(System.getenv());
    KubernetesClient client = new KubernetesClientBuilder().build();
    KvorumOperator operator =
        new KvorumOperator(client, new HttpReports(), settings, () -> Runtime.getRuntime().halt(1));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  operator.close();
                  client.close();
                },
                "shutdown"));
    try {
      operator.start();
    } catch (OperatorException e) {
      log.error("The operator failed to start", e);
      System.exit(1);
    }
    log.info(
        "The operator watches {}",
        settings.namespaces().isEmpty() ? "all namespaces" : settings.namespaces());
  }
}
