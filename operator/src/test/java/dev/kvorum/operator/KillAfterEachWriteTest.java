package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * An operator that is killed after each of its writes and restarted brings a cluster to the same
 * state as one that keeps running; an operator with nothing to do writes nothing.
 */
@EnableKubernetesMockClient(crud = true, https = false)
class KillAfterEachWriteTest {
  private static final int PASSES_MAX = 600;

  /** Passes in a row without a write, not all of which reuse what the one before has read. */
  private static final int IDLE = 4;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private final AtomicInteger writes = new AtomicInteger();
  private Duration kept = Duration.ZERO;
  private Instant now = Instant.now();

  /** What a killed process does not come back from. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private Writes door(FakeKubernetes kubernetes, boolean deadly) {
    Writes real = kubernetes.writes(client);
    return (Writes)
        Proxy.newProxyInstance(
            Writes.class.getClassLoader(),
            new Class<?>[] {Writes.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
              writes.incrementAndGet();
              if (deadly) {
                throw new Killed();
              }
              return result;
            });
  }

  private Reconciliation operator(FakeKubernetes kubernetes, boolean deadly) {
    Writes door = door(kubernetes, deadly);
    return kubernetes.operator(door, () -> now, kept);
  }

  /** Until some passes in a row have written nothing. */
  private void untilAtRest(FakeKubernetes kubernetes, boolean deadly) {
    Reconciliation operator = operator(kubernetes, deadly);
    int idle = 0;
    for (int passes = 0; idle < IDLE; passes++) {
      now = now.plusSeconds(2);
      assertThat(passes).as("passes until it is at rest").isLessThan(PASSES_MAX);
      kubernetes.tick();
      int before = writes.get();
      try {
        operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
      } catch (Killed killed) {
        operator = operator(kubernetes, deadly);
      }
      idle = writes.get() == before ? idle + 1 : 0;
    }
  }

  /** What there is in the end, without what differs by nature: times and versions. */
  private record End(
      List<TopologyMember> members,
      long epoch,
      int pods,
      String template,
      List<String> images,
      List<String> volumes,
      String user,
      String status) {}

  private End end(FakeKubernetes kubernetes) {
    KvorumCluster cluster = kubernetes.cluster();
    KvorumClusterStatus status = cluster.getStatus();
    status.conditions().forEach(condition -> condition.setLastTransitionTime(""));
    assertThat(StatusReport.condition(status, "Ready").orElseThrow().getStatus())
        .as(status.toString())
        .isEqualTo("True");
    return new End(
        kubernetes.topology().orElseThrow().members(),
        kubernetes.topology().orElseThrow().epoch(),
        kubernetes.set().getSpec().getReplicas(),
        kubernetes.set().getSpec().getTemplate().toString(),
        kubernetes.pods().stream().map(KillAfterEachWriteTest::image).sorted().toList(),
        client
            .persistentVolumeClaims()
            .inNamespace(FakeKubernetes.NAMESPACE)
            .list()
            .getItems()
            .stream()
            .map(KillAfterEachWriteTest::claim)
            .sorted()
            .toList(),
        kubernetes.users.user("app").known().conditions().getFirst().getReason(),
        status.toString().replaceFirst("expiry=[^,]+", ""));
  }

  private static String image(Pod pod) {
    return pod.getMetadata().getName() + " " + pod.getSpec().getContainers().getFirst().getImage();
  }

  private static String claim(PersistentVolumeClaim claim) {
    return claim.getMetadata().getName()
        + claim.getMetadata().getAnnotations()
        + claim.getSpec().getResources().getRequests();
  }

  private void life(FakeKubernetes kubernetes, boolean deadly, List<End> ends) {
    List<KvorumClusterSpec> edits =
        List.of(
            Specs.of(3, "kvorum:1", "10Gi"),
            Specs.of(5, "kvorum:1", "10Gi"),
            Specs.of(5, "kvorum:2", "20Gi"),
            Specs.of(3, "kvorum:2", "20Gi"),
            Specs.withProfile(3, "standard"),
            Specs.withProfile(3, "open"));
    kubernetes.create(edits.getFirst());
    kubernetes.users.user("app", FakeUsers.token(), List.of());
    for (KvorumClusterSpec edit : edits) {
      kubernetes.edit(edit);
      untilAtRest(kubernetes, deadly);
      ends.add(end(kubernetes));
      if (ends.size() == 2) {
        removal(kubernetes, deadly);
        ends.add(end(kubernetes));
      }
    }
    failedUpdate(kubernetes, edits.getLast(), deadly);
    ends.add(end(kubernetes));
  }

  /** An update is rolled back, and taken back. */
  private void failedUpdate(FakeKubernetes kubernetes, KvorumClusterSpec spec, boolean deadly) {
    kubernetes.edit(Specs.withDeadline(spec, FakePods.BROKEN, "0s"));
    untilAtRest(kubernetes, deadly);
    KvorumClusterStatus status = kubernetes.cluster().getStatus();
    assertThat(StatusReport.condition(status, "Stalled").orElseThrow().getReason())
        .isEqualTo("RolledBack");
    assertThat(kubernetes.pods()).noneMatch(pod -> image(pod).contains(FakePods.BROKEN));
    kubernetes.edit(spec);
    untilAtRest(kubernetes, deadly);
  }

  /** A member is lost, and its name joins again. */
  private void removal(FakeKubernetes kubernetes, boolean deadly) {
    kubernetes.silent.add("kvorum-1");
    new FakeTasks(client).remove("kvorum-1");
    untilAtRest(kubernetes, deadly);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    kubernetes.silent.clear();
    untilAtRest(kubernetes, deadly);
  }

  @Test
  void anOperatorKilledAfterEveryWriteComesToTheSameEnds() {
    List<End> lived = new ArrayList<>();
    life(new FakeKubernetes(client), false, lived);
    int writesOfOneLife = writes.get();
    server.reset();
    List<End> died = new ArrayList<>();
    life(new FakeKubernetes(client), true, died);
    assertThat(writesOfOneLife).isGreaterThan(60);
    assertThat(died).isEqualTo(lived);
    assertThat(lived.getLast().members())
        .extracting(TopologyMember::zone)
        .containsExactly("a", "b", "c");
  }

  @Test
  void anOperatorThatReusesWhatItHasReadComesToTheSameEnds() {
    List<End> lived = new ArrayList<>();
    life(new FakeKubernetes(client), false, lived);
    int requests = server.getRequestCount();
    server.reset();
    kept = KeptReads.LIFE;
    List<End> reusing = new ArrayList<>();
    life(new FakeKubernetes(client), false, reusing);
    assertThat(reusing).isEqualTo(lived);
    assertThat(server.getRequestCount()).isLessThan(2 * requests);
  }

  @Test
  void anOperatorWithNothingToDoWritesNothing() throws InterruptedException {
    FakeKubernetes kubernetes = new FakeKubernetes(client);
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    untilAtRest(kubernetes, false);
    int requests = server.getRequestCount();
    for (int asked = 0; asked < requests; asked++) {
      server.takeRequest();
    }
    for (int passes = 0; passes < 10; passes++) {
      operator(kubernetes, false).once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
    int looked = server.getRequestCount() - requests;
    assertThat(looked).isGreaterThan(100);
    List<String> read = new ArrayList<>();
    for (int asked = 0; asked < looked; asked++) {
      RecordedRequest request = server.takeRequest();
      assertThat(request.getMethod()).isEqualTo("GET");
      read.add(request.getPath().replaceFirst(".*/(kvorum[a-z]+).*", "$1"));
    }
    read.retainAll(Set.of("kvorumtopologies", "kvorumtasks"));
    assertThat(read.subList(0, 2))
        .as("a task that has ended meanwhile is not done again")
        .containsExactly("kvorumtopologies", "kvorumtasks");
  }
}
