package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.loadtest.report.LoadStatusReport;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Load tests on a mock of the API: an operator that is killed after every one of its writes, and
 * started again, comes to the same results; one that has nothing to do writes nothing.
 */
@EnableKubernetesMockClient(crud = true, https = false)
class LoadTestReconciliationTest {
  private static final int LOOKS_MAX = 200;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private final AtomicInteger writes = new AtomicInteger();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final LoadTestMeters results = new LoadTestMeters(registry);
  private Instant now = NOW;

  /** What a killed process does not come back from. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private LoadTestReconciliation operator(boolean deadly) {
    Writes real = new KubernetesWrites(client);
    Writes door =
        (Writes)
            Proxy.newProxyInstance(
                Writes.class.getClassLoader(),
                new Class<?>[] {Writes.class},
                (proxy, method, arguments) -> {
                  try {
                    method.invoke(real, arguments);
                  } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                  }
                  writes.incrementAndGet();
                  if (deadly) {
                    throw new Killed();
                  }
                  return null;
                });
    return new LoadTestReconciliation(
        new LoadObserver(client, () -> now), door, "wrk2:1", new OperatorMeters(registry), results);
  }

  /** Until three passes in a row have written nothing. */
  private void untilAtRest(FakeLoad load, String name, boolean deadly) {
    LoadTestReconciliation operator = operator(deadly);
    int idle = 0;
    for (int passes = 0; idle < 3; passes++) {
      assertThat(passes).as("passes until it is at rest").isLessThan(LOOKS_MAX);
      load.tick();
      int before = writes.get();
      try {
        operator.once(FakeLoad.NAMESPACE, name);
      } catch (Killed killed) {
        operator = operator(deadly);
      }
      idle = writes.get() == before ? idle + 1 : 0;
    }
  }

  private FakeLoad sweep() {
    FakeLoad load = new FakeLoad(client);
    load.cluster("the-id", true);
    load.create(
        "sweep", "2026-01-01T00:00:00Z", LoadTests.spec(LoadWorkload.MIXED, 1000L, 2000L, 4000L));
    return load;
  }

  private KvorumLoadTestStatus status(FakeLoad load, String name) {
    return load.test(name).getStatus();
  }

  private static String reason(KvorumLoadTestStatus status, String condition) {
    return LoadStatusReport.condition(status, condition).orElseThrow().getReason();
  }

  private static boolean holds(KvorumLoadTestStatus status, String condition) {
    return LoadStatusReport.condition(status, condition).orElseThrow().getStatus().equals("True");
  }

  @Test
  void aClusterIsWaitedForAtATimeAndThenGivenUp() {
    FakeLoad load = sweep();
    load.cluster("the-id", false);
    untilAtRest(load, "sweep", false);
    assertThat(status(load, "sweep").waitingSince()).isEqualTo(NOW.toString());
    now = NOW.plusSeconds(600);
    untilAtRest(load, "sweep", false);
    assertThat(status(load, "sweep").phase()).isEqualTo(LoadTestPhase.WAITING);
    now = NOW.plusSeconds(601);
    untilAtRest(load, "sweep", false);
    KvorumLoadTestStatus status = status(load, "sweep");
    assertThat(holds(status, "Failed")).isTrue();
    assertThat(reason(status, "Failed")).isEqualTo("TargetNotReady");
    assertThat(LoadStatusReport.condition(status, "Failed").orElseThrow().getMessage())
        .contains("kvorum-1 is down", "waited for 10m");
    assertThat(status.waitingSince()).isNull();
    assertThat(load.jobs()).isEmpty();
  }

  @Test
  void aWaitThatEndedIsNotCountedLater() {
    FakeLoad load = sweep();
    load.cluster("the-id", false);
    untilAtRest(load, "sweep", false);
    load.cluster("the-id", true);
    now = NOW.plusSeconds(599);
    untilAtRest(load, "sweep", false);
    assertThat(status(load, "sweep").phase()).isEqualTo(LoadTestPhase.COMPLETE);
    assertThat(status(load, "sweep").waitingSince()).isNull();
  }

  @Test
  void aSweepRunsOneJobAfterTheOtherAndReportsItsKnee() {
    FakeLoad load = sweep();
    untilAtRest(load, "sweep", false);
    KvorumLoadTestStatus status = status(load, "sweep");
    assertThat(status.phase()).isEqualTo(LoadTestPhase.COMPLETE);
    assertThat(holds(status, "Complete")).isTrue();
    assertThat(holds(status, "Failed")).isFalse();
    assertThat(status.results())
        .extracting(it -> it.offered())
        .containsExactly(1000L, 2000L, 4000L);
    assertThat(status.results().getFirst().spectrum()).hasSize(3);
    assertThat(status.latest()).isEqualTo(status.results().getLast().summary());
    assertThat(status.knee()).isEqualTo(2000L);
    assertThat(load.jobs())
        .extracting(job -> job.getMetadata().getName())
        .containsExactlyInAnyOrder("sweep-fill", "sweep-0", "sweep-1", "sweep-2");
    assertThat(events())
        .contains(
            "Started: starts to offer load to cluster kvorum",
            "Filled: 1000 keys were written, with 7 errors",
            "Measured: offered 1000/s, achieved 983.61/s, p50 1.23ms, p99 5.68ms, p99.9 1000.00ms, 7 errors",
            "Complete: all 3 rates have been measured; up to 2000/s were met with p99 within 100ms");
  }

  private List<String> events() {
    return client.v1().events().inNamespace(FakeLoad.NAMESPACE).list().getItems().stream()
        .map((Event event) -> event.getReason() + ": " + event.getMessage())
        .toList();
  }

  @Test
  void anOperatorKilledAfterEveryWriteComesToTheSameEnd() {
    FakeLoad lived = sweep();
    lived.needsUsers();
    untilAtRest(lived, "sweep", false);
    KvorumLoadTestStatus end = status(lived, "sweep");
    int jobs = lived.jobs().size();
    assertThat(writes.get()).isGreaterThan(15);
    server.reset();
    FakeLoad died = sweep();
    died.needsUsers();
    untilAtRest(died, "sweep", true);
    assertThat(status(died, "sweep")).isEqualTo(end);
    assertThat(died.jobs()).hasSize(jobs);
    assertThat(died.user("sweep-load")).isNotNull();
  }

  @Test
  void nothingIsWrittenWhileNothingHappens() throws InterruptedException {
    FakeLoad load = sweep();
    LoadTestReconciliation operator = operator(false);
    for (int passes = 0; load.jobs().isEmpty(); passes++) {
      assertThat(passes).isLessThan(LOOKS_MAX);
      operator.once(FakeLoad.NAMESPACE, "sweep");
    }
    operator.once(FakeLoad.NAMESPACE, "sweep");
    reconcilesWithoutWriting(operator);
    untilAtRest(load, "sweep", false);
    reconcilesWithoutWriting(operator);
  }

  private void reconcilesWithoutWriting(LoadTestReconciliation operator)
      throws InterruptedException {
    int requests = server.getRequestCount();
    while (server.takeRequest(1, java.util.concurrent.TimeUnit.MILLISECONDS) != null) {}
    for (int passes = 0; passes < 10; passes++) {
      operator.once(FakeLoad.NAMESPACE, "sweep");
    }
    int reads = server.getRequestCount() - requests;
    assertThat(reads).isGreaterThan(40);
    for (int asked = 0; asked < reads; asked++) {
      assertThat(server.takeRequest().getMethod()).isEqualTo("GET");
    }
  }

  @Test
  void aTargetThatIsNotThereOrNotReadyIsWaitedForAndReported() {
    FakeLoad load = new FakeLoad(client);
    load.create("early", "2026-01-01T00:00:00Z", LoadTests.spec(LoadWorkload.PUT, 1000L));
    untilAtRest(load, "early", false);
    assertThat(status(load, "early").phase()).isEqualTo(LoadTestPhase.WAITING);
    assertThat(reason(status(load, "early"), "Progressing")).isEqualTo("TargetMissing");
    load.cluster("the-id", false);
    untilAtRest(load, "early", false);
    assertThat(reason(status(load, "early"), "Progressing")).isEqualTo("TargetNotReady");
    assertThat(events())
        .containsOnlyOnce(
            "TargetMissing: there is no cluster kvorum in this namespace",
            "TargetNotReady: cluster kvorum is not ready: MemberDown: kvorum-1 is down");
    load.cluster("the-id", true);
    untilAtRest(load, "early", false);
    assertThat(status(load, "early").phase()).isEqualTo(LoadTestPhase.COMPLETE);
  }

  @Test
  void aSecondLoadTestOfAClusterWaitsForTheFirst() {
    FakeLoad load = sweep();
    load.create("then", "2026-01-01T00:00:01Z", LoadTests.spec(LoadWorkload.PUT, 500L));
    untilAtRest(load, "then", false);
    assertThat(reason(status(load, "then"), "Progressing")).isEqualTo("AnotherLoadTest");
    untilAtRest(load, "sweep", false);
    untilAtRest(load, "then", false);
    assertThat(status(load, "then").phase()).isEqualTo(LoadTestPhase.COMPLETE);
  }

  @Test
  void aClusterCreatedAgainEndsIt() {
    FakeLoad load = sweep();
    LoadTestReconciliation operator = operator(false);
    for (int passes = 0; load.jobs().isEmpty(); passes++) {
      assertThat(passes).isLessThan(LOOKS_MAX);
      operator.once(FakeLoad.NAMESPACE, "sweep");
    }
    load.cluster("another-id", true);
    operator.once(FakeLoad.NAMESPACE, "sweep");
    assertThat(status(load, "sweep").phase()).isEqualTo(LoadTestPhase.FAILED);
    assertThat(reason(status(load, "sweep"), "Failed")).isEqualTo("Superseded");
    operator.once(FakeLoad.NAMESPACE, "sweep");
    assertThat(load.jobs()).as("what may still offer load is removed").isEmpty();
  }

  @Test
  void resultsAreMetricsUntilTheLoadTestIsDeleted() {
    FakeLoad load = sweep();
    String of = "{kvorum_cluster=\"kvorum\",loadtest=\"sweep\",namespace=\"test\"";
    operator(false).once(FakeLoad.NAMESPACE, "sweep");
    assertThat(registry.scrape())
        .contains("kvorum_loadtest_running" + of + "} 1.0")
        .doesNotContain("kvorum_loadtest_offered_rate");
    untilAtRest(load, "sweep", false);
    assertThat(registry.scrape())
        .contains(
            "kvorum_loadtest_running" + of + "} 0.0",
            "kvorum_loadtest_knee_rate" + of + "} 2000.0",
            "kvorum_loadtest_offered_rate" + of + ",step=\"1\"} 2000.0",
            "kvorum_loadtest_achieved_rate" + of + ",step=\"0\"} 983.61",
            "kvorum_loadtest_errors" + of + ",step=\"2\"} 7.0",
            "kvorum_loadtest_requests" + of + ",step=\"0\"} 30000.0",
            "kvorum_loadtest_latency_seconds{kvorum_cluster=\"kvorum\",loadtest=\"sweep\","
                + "namespace=\"test\",quantile=\"0.99\",step=\"0\"} 0.00568");
    results.removeUnless((namespace, name) -> false);
    assertThat(registry.scrape()).doesNotContain("kvorum_loadtest_");
    operator(false).once(FakeLoad.NAMESPACE, "sweep");
    assertThat(registry.scrape()).contains("kvorum_loadtest_running");
    HasMetadata test = load.test("sweep");
    client.resource(test).delete();
    load.collect();
    operator(false).once(FakeLoad.NAMESPACE, "sweep");
    assertThat(registry.scrape()).doesNotContain("kvorum_loadtest_");
  }
}
