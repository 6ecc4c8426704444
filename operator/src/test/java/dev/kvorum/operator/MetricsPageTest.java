package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.plan.Step;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the operator's metrics with {@code docs/metrics.md}. */
class MetricsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| \\w+ \\|([^|]*)\\|.*");
  private static final Pattern SAMPLE =
      Pattern.compile("(kvorum_\\w+?)(?:_bucket|_count|_sum|_max)?(?:\\{([^}]*)\\})? \\S+");

  private static Set<String> names(String text, Pattern name) {
    Set<String> names = new TreeSet<>();
    Matcher found = name.matcher(text);
    while (found.find()) {
      names.add(found.group(1));
    }
    return names;
  }

  private static Map<String, Set<String>> documented() throws IOException {
    String page = Files.readString(PAGE);
    Map<String, Set<String>> rows = new TreeMap<>();
    page.substring(page.indexOf("\n## Operator"))
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> rows.put(row.group(1), names(row.group(2), Pattern.compile("`(\\w+)`"))));
    return rows;
  }

  private static Map<String, Set<String>> exposed(String scraped) {
    Map<String, Set<String>> metrics = new TreeMap<>();
    scraped
        .lines()
        .map(SAMPLE::matcher)
        .filter(Matcher::matches)
        .forEach(sample -> {
          String labels = sample.group(2) == null ? "" : sample.group(2);
          Set<String> names = names(labels, Pattern.compile("(\\w+)=\""));
          names.remove("le");
          metrics.put(sample.group(1), names);
        });
    return metrics;
  }

  @Test
  @SuppressWarnings("NullAway") // what is left out comes as null
  void exposesExactlyTheDocumentedEndpoints() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OperatorMeters meters = new OperatorMeters(registry);
    meters.leader(() -> true);
    meters.reconciled(Duration.ofMillis(3));
    meters.step(new Step.PutObject("Service/kvorum"));
    meters.cluster("default", "kvorum", 3, KvorumClusterStatus.NONE, List.of());
    new LoadTestMeters(registry)
        .show(
            "default",
            "sweep",
            LoadTests.spec(LoadWorkload.PUT, 100L),
            new KvorumLoadTestStatus(
                1L,
                LoadTestPhase.COMPLETE,
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:01:00Z",
                null,
                "id",
                true,
                null,
                100L,
                List.of(LoadTests.result(0, 100, 99.9, 5_000)),
                List.of()));
    BackupScheduleMeters backups = new BackupScheduleMeters(registry);
    KvorumBackupSchedule schedule = new KvorumBackupSchedule();
    schedule.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName("nightly").build());
    backups.show(schedule, KvorumBackupScheduleStatus.NONE);
    backups.refresh((namespace, name) -> true);

    assertThat(exposed(registry.scrape())).isEqualTo(documented());
  }

  @Test
  void everyKindOfWriteIsCountedFromNoneOn() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OperatorMeters meters = new OperatorMeters(registry);
    assertThat(registry.scrape())
        .contains(
            "kvorum_operator_steps_total{step=\"NextEpoch\"} 0.0",
            "kvorum_operator_steps_total{step=\"RestartPod\"} 0.0")
        .doesNotContain("step=\"Rest\"", "step=\"Wait\"", "step=\"Reject\"");

    meters.step(new Step.RestartPod("kvorum-1", "uid", true, "why"));

    assertThat(registry.scrape()).contains("{step=\"RestartPod\"} 1.0");
  }

  @Test
  void showsNothingOfAClusterThatIsGone() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OperatorMeters meters = new OperatorMeters(registry);
    meters.cluster("default", "kept", 3, KvorumClusterStatus.NONE, List.of());
    meters.cluster("default", "gone", 3, KvorumClusterStatus.NONE, List.of());

    meters.removeUnless((namespace, name) -> name.equals("kept"));

    assertThat(registry.scrape())
        .contains("kvorum_cluster=\"kept\"")
        .doesNotContain("kvorum_cluster=\"gone\"");
  }
}
