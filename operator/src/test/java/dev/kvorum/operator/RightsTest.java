package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.act.HostPaths;
import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.StepExecutor;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.backup.BackupObserver;
import dev.kvorum.operator.backup.schedule.ScheduleObserver;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.observe.Observer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator may do what it does, and no more. */
@EnableKubernetesMockClient(crud = true, https = false)
class RightsTest {
  private static final String AGENT = "the-operator";
  private static final Pattern PATH =
      Pattern.compile(
          "/apis?(?:/(?<group>[a-z0-9.-]+\\.[a-z0-9.-]+|apps|batch|policy))?/v\\w+"
              + "(?:/namespaces/[^/]+)?/(?<kind>[a-z]+)(?<name>/[^/]+)?(?<part>/[a-z]+)?");

  /** Of informers, which only trigger reconciliations. */
  private static final List<String> WATCHED =
      List.of(
          "kvorum.dev/kvorumclusters list",
          "kvorum.dev/kvorumclusters watch",
          "kvorum.dev/kvorumbackups watch",
          "kvorum.dev/kvorumbackupschedules list",
          "kvorum.dev/kvorumbackupschedules watch",
          "kvorum.dev/kvorumloadtests watch",
          "kvorum.dev/kvorumroles watch",
          "kvorum.dev/kvorumtopologies list",
          "kvorum.dev/kvorumtopologies watch",
          "kvorum.dev/kvorumusers watch",
          "apps/statefulsets list",
          "apps/statefulsets watch",
          "batch/jobs watch",
          "/pods watch");

  /**
   * Of objects that are given another owner; of pods that are not ready; of members that share a
   * machine; of load tests gone wrong.
   */
  private static final List<String> FOR_OTHERS =
      List.of(
          "/pods delete",
          "/nodes list",
          "kvorum.dev/kvorumtopologies delete",
          "/services delete",
          "/serviceaccounts delete",
          "/persistentvolumeclaims delete",
          "networking.k8s.io/networkpolicies delete",
          "rbac.authorization.k8s.io/roles delete",
          "rbac.authorization.k8s.io/rolebindings delete",
          "batch/jobs delete");

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set up before each test
  private KubernetesClient operators;

  @BeforeEach
  void start() {
    operators =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(client.getConfiguration()).withUserAgent(AGENT).build())
            .build();
  }

  @AfterEach
  void stop() {
    operators.close();
  }

  @Test
  void theRightsAreThoseOfTheCalls() throws IOException, InterruptedException {
    aCluster();
    aLoadTest();
    aBackup();
    aSchedule();
    Set<String> called = called();
    Set<String> allowed = allowed();
    assertThat(allowed).as("what is called is allowed").containsAll(called);
    Set<String> idle = new TreeSet<>(allowed);
    idle.removeAll(called);
    Set<String> expected = new TreeSet<>(WATCHED);
    expected.addAll(FOR_OTHERS);
    assertThat(idle).as("what is allowed is called").isEqualTo(expected);
  }

  private void aCluster() {
    FakeKubernetes kubernetes = new FakeKubernetes(client);
    Writes writes = kubernetes.writes(operators);
    Reconciliation operator =
        new Reconciliation(
            new Observer(
                operators, kubernetes, InstantSource.system(), Optional.empty(), "kvorum:1"),
            new KeptReads(operators, InstantSource.system(), Duration.ZERO),
            writes,
            new StepExecutor(writes, () -> "id", new HostPaths(operators)),
            new OperatorMeters(new SimpleMeterRegistry()));
    kubernetes.create(Specs.withOneCopy(2));
    // Before there is any pod.
    for (int look = 0; look < 10; look++) {
      operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
    new FakeTasks(client).remove("kvorum-7");
    kubernetes.turns(operator, 30);
    client.resource(kubernetes.cluster()).delete();
    kubernetes.create(Specs.withOneCopy(2, "kvorum:2", "20Gi"));
    kubernetes.turns(operator, 30);
    assertThatThrownBy(() -> writes.reachable(kubernetes.pods().getFirst(), true, Instant.EPOCH))
        .as("the mock server knows no strategic merge")
        .hasMessageContaining("Unsupported Media Type");
    kubernetes.edit(Specs.withOneCopy(1, "kvorum:2", "20Gi"));
    kubernetes.turns(operator, 30);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(1);
    KvorumClusterSpec secured = Specs.secured(Specs.withOneCopy(1, "kvorum:2", "20Gi"), "standard");
    for (String issuer : List.of("one", "another")) {
      kubernetes.edit(Specs.withIssuer(secured, issuer));
      kubernetes.turns(operator, 30);
    }
    kubernetes.edit(secured);
    kubernetes.users.user("app", FakeUsers.token(), List.of("reader"));
    kubernetes.turns(operator, 30);
    for (String authority : List.of("kvorum-peer-ca", "kvorum-http-ca")) {
      client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName(authority).delete();
    }
    kubernetes.turns(operator, 30);
  }

  private void aLoadTest() {
    FakeLoad load = new FakeLoad(client);
    load.needsUsers();
    load.cluster("id", true);
    load.create("sweep", "2026-01-01T00:00:00Z", LoadTests.spec(LoadWorkload.PUT, 100L));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    LoadTestReconciliation operator =
        new LoadTestReconciliation(
            new LoadObserver(operators, InstantSource.system()),
            new KubernetesWrites(operators),
            "wrk2:1",
            new OperatorMeters(registry),
            new LoadTestMeters(registry));
    for (int look = 0; look < 20; look++) {
      operator.once(FakeKubernetes.NAMESPACE, "sweep");
      load.tick();
    }
    assertThat(load.jobs()).isNotEmpty();
  }

  private void aBackup() {
    FakeLoad load = new FakeLoad(client);
    load.spec(Specs.secured(FakeBackups.SPEC, "strict"));
    load.cluster("the-id", true);
    FakeBackups backups = new FakeBackups(client);
    backups.create("daily");
    aBackupContinues();
    load.report("daily-backup", UserReason.IN_EFFECT);
    aBackupContinues();
    load.jobs().stream()
        .filter(job -> job.getMetadata().getName().equals("daily-backup"))
        .forEach(job -> backups.end(job, 0, FakeBackups.REPORT));
    aBackupContinues();
    assertThat(backups.get("daily").known().phase()).isEqualTo(TaskPhase.COMPLETE);
  }

  private void aSchedule() {
    FakeBackups backups = new FakeBackups(client);
    backups.schedule(
        "hourly",
        new KvorumBackupScheduleSpec("kvorum", "0 0 1 1 *", "UTC", false, true, "1h", null, null));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    BackupScheduleReconciliation operator =
        new BackupScheduleReconciliation(
            new ScheduleObserver(operators, InstantSource.system()),
            new KubernetesWrites(operators),
            new OperatorMeters(registry),
            new BackupScheduleMeters(registry));
    for (int number = 0; number < 4; number++) {
      backups.create("failed-" + number, "hourly");
      backups.end("failed-" + number, TaskPhase.FAILED, "id", Instant.EPOCH);
    }
    for (int look = 0; look < 5; look++) {
      operator.once(FakeKubernetes.NAMESPACE, "hourly");
    }
    assertThat(backups.all()).filteredOn(it -> it.known().phase() == null).hasSize(1);
    assertThat(backups.all()).filteredOn(it -> it.known().phase() == TaskPhase.FAILED).hasSize(3);
  }

  private void aBackupContinues() {
    for (int look = 0; look < 5; look++) {
      new BackupReconciliation(
              new BackupObserver(operators, InstantSource.system()),
              new KubernetesWrites(operators),
              new OperatorMeters(new SimpleMeterRegistry()))
          .once(FakeLoad.NAMESPACE, "daily");
    }
  }

  private Set<String> called() throws InterruptedException {
    Set<String> called = new TreeSet<>();
    for (int asked = server.getRequestCount(); asked > 0; asked--) {
      RecordedRequest request = server.takeRequest();
      if (AGENT.equals(request.getHeader("User-Agent"))) {
        called.add(call(request.getMethod(), request.getPath().replaceFirst("\\?.*", "")));
      }
    }
    assertThat(called).hasSizeGreaterThan(20);
    return called;
  }

  private static String call(String method, String path) {
    Matcher parts = PATH.matcher(path);
    assertThat(parts.matches()).as(path).isTrue();
    String verb =
        switch (method) {
          case "GET" -> parts.group("name") == null ? "list" : "get";
          case "POST" -> "create";
          case "PUT" -> "update";
          default -> method.toLowerCase(java.util.Locale.ROOT);
        };
    return orNothing(parts.group("group"))
        + "/"
        + parts.group("kind")
        + orNothing(parts.group("part"))
        + " "
        + verb;
  }

  private static String orNothing(@org.jspecify.annotations.Nullable String part) {
    return part == null ? "" : part;
  }

  private Set<String> allowed() throws IOException {
    Set<String> allowed = new TreeSet<>();
    for (HasMetadata object :
        client.load(Files.newInputStream(Path.of("../k8s/operator.yaml"))).items()) {
      // Those that Kubernetes' own roles include are for people.
      boolean isForPeople =
          object.getMetadata().getLabels() != null
              && object.getMetadata().getLabels().keySet().stream()
                  .anyMatch(label -> label.startsWith("rbac.authorization.k8s.io/aggregate-to-"));
      if (object instanceof ClusterRole role && !isForPeople) {
        role.getRules().forEach(rule -> allow(rule, allowed));
      }
    }
    return allowed;
  }

  private static void allow(PolicyRule rule, Set<String> allowed) {
    for (String group : rule.getApiGroups()) {
      for (String resource : rule.getResources()) {
        rule.getVerbs().forEach(verb -> allowed.add(group + "/" + resource + " " + verb));
      }
    }
  }
}
