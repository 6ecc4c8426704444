package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.loadtest.report.LoadStatusReport;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Proxy;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Two load tests of one cluster that are created in the same second. */
@EnableKubernetesMockClient(crud = true, https = false)
class LoadTestRivalsTest {
  private static final String SECOND = "2026-01-01T00:00:00Z";

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private Runnable beforeStatus = () -> {};

  private LoadTestReconciliation operator() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Writes real = new KubernetesWrites(client);
    Writes writes =
        (Writes)
            Proxy.newProxyInstance(
                Writes.class.getClassLoader(),
                new Class<?>[] {Writes.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("status")) {
                    beforeStatus.run();
                  }
                  return method.invoke(real, arguments);
                });
    return new LoadTestReconciliation(
        new LoadObserver(client, () -> Instant.parse(SECOND)),
        writes,
        "wrk2:1",
        new OperatorMeters(registry),
        new LoadTestMeters(registry));
  }

  private static boolean waitsForThisThread(Thread other) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(other.threadId());
    return info != null && info.getLockOwnerId() == Thread.currentThread().threadId();
  }

  @Test
  void onlyOneOfThemStarts() throws InterruptedException {
    FakeLoad load = new FakeLoad(client);
    load.cluster("the-id", true);
    load.create("sweep", SECOND, LoadTests.spec(LoadWorkload.PUT, 1000L));
    LoadTestReconciliation operator = operator();
    Thread other = new Thread(() -> operator.once(FakeLoad.NAMESPACE, "before"));
    beforeStatus =
        () -> {
          beforeStatus = () -> {};
          // By its name it goes first.
          load.create("before", SECOND, LoadTests.spec(LoadWorkload.PUT, 500L));
          other.start();
          while (other.isAlive() && !waitsForThisThread(other)) {
            Thread.onSpinWait();
          }
        };
    operator.once(FakeLoad.NAMESPACE, "sweep");
    other.join();
    assertThat(load.test("sweep").getStatus().started()).isTrue();
    KvorumLoadTestStatus waits = load.test("before").getStatus();
    assertThat(LoadStatusReport.condition(waits, "Progressing").orElseThrow().getReason())
        .isEqualTo("AnotherLoadTest");
  }
}
