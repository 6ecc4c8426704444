package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.loadtest.report.LoadStatusReport;
import dev.kvorum.operator.resources.Digests;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Load tests of clusters that reject requests without credentials. */
class LoadTestUsersTest extends MockedKubernetes {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @SuppressWarnings("NullAway.Init") // by the extension
  private KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeLoad load;

  private Instant now = NOW;

  @BeforeEach
  void start() {
    load = new FakeLoad(client);
  }

  private LoadTestReconciliation loadTests(Writes writes) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    return new LoadTestReconciliation(
        new LoadObserver(client, () -> now),
        writes,
        "wrk2:1",
        new OperatorMeters(registry),
        new LoadTestMeters(registry));
  }

  private void sweep(KvorumClusterSpec target) {
    load.spec(target);
    load.cluster("the-id", true);
    load.create("sweep", NOW.toString(), LoadTests.spec(LoadWorkload.MIXED, 1000L, 2000L));
  }

  private void turns() {
    LoadTestReconciliation operator = loadTests(new KubernetesWrites(client));
    for (int turn = 0; turn < 30; turn++) {
      load.tick();
      operator.once(FakeLoad.NAMESPACE, "sweep");
    }
  }

  private void assertPhase(LoadTestPhase phase) {
    assertThat(load.test("sweep").getStatus().phase()).isEqualTo(phase);
  }

  private Condition progressing() {
    return LoadStatusReport.condition(load.test("sweep").getStatus(), "Progressing").orElseThrow();
  }

  private List<String> events() {
    return client.v1().events().inNamespace(FakeLoad.NAMESPACE).list().getItems().stream()
        .map(Event::getReason)
        .toList();
  }

  private void assertWaits(String reason, String message) {
    assertThat(progressing().getReason()).isEqualTo(reason);
    assertThat(progressing().getMessage()).contains(message);
    assertThat(load.jobs()).isEmpty();
  }

  @Test
  void requestsComeFromAUserOfTheLoadTest() {
    become(Specs.withProfile(3, "strict"));
    load.create("sweep", NOW.toString(), LoadTests.spec(LoadWorkload.MIXED, 1000L, 2000L));
    LoadTestReconciliation operator = loadTests(new KubernetesWrites(client));
    for (int turn = 0; turn < 30; turn++) {
      load.tick();
      kubernetes.turns(this.operator, 100);
      operator.once(FakeLoad.NAMESPACE, "sweep");
    }
    assertPhase(LoadTestPhase.COMPLETE);
    KvorumUser user = load.user("sweep-load");
    assertThat(user.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getName, OwnerReference::getController)
        .containsExactly(tuple("KvorumLoadTest", "sweep", true));
    String token = FakeUsers.decoded(secret("sweep-load-token"), "token");
    assertThat(FakeUsers.decoded(secret("kvorum-auth"), "users.json"))
        .isEqualTo(
            FakeUsers.file(
                secret("kvorum-auth"),
                ",{\"name\":\"sweep-load\",\"tokenSha256\":\""
                    + Digests.sha256(token)
                    + "\",\"rules\":[{\"prefix\":\"k\","
                    + "\"verbs\":[\"get\",\"put\",\"delete\",\"range\"]}]}"));
    assertThat(load.jobs())
        .hasSize(3)
        .allSatisfy(job ->
            assertThat(
                    job.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getEnv()
                        .getLast()
                        .getValueFrom()
                        .getSecretKeyRef()
                        .getName())
                .isEqualTo("sweep-load-token"));
    assertThat(events()).doesNotContain("UserNotReady");
  }

  @Test
  void aClusterThatServesEveryoneNeedsNoUser() {
    sweep(Specs.withProfile(3, "standard"));
    turns();
    assertPhase(LoadTestPhase.COMPLETE);
    assertThat(load.user("sweep-load")).isNull();
  }

  @Test
  void aUserThatNodesDoNotKnowIsWaitedForAndThenGivenUp() {
    sweep(Specs.withProfile(3, "strict"));
    turns();
    assertWaits("UserNotReady", "KvorumUser sweep-load is not ready: it has no Ready condition");
    assertThat(progressing().getStatus()).isEqualTo("True");
    assertThat(load.test("sweep").getStatus().waitingSince()).isEqualTo(NOW.toString());
    load.report("sweep-load", UserReason.NOT_YET_IN_EFFECT);
    turns();
    assertWaits("UserNotReady", "NotYetInEffect: as told");
    assertThat(events()).doesNotContain("UserNotReady");
    load.report("sweep-load", UserReason.IN_EFFECT);
    turns();
    assertPhase(LoadTestPhase.COMPLETE);
  }

  @Test
  void aUserThatStaysUnknownEndsTheTest() {
    sweep(Specs.withProfile(3, "strict"));
    turns();
    load.report("sweep-load", UserReason.NO_ACCESS_TO_SECRETS);
    turns();
    assertWaits("UserNotReady", "NoAccessToSecrets: as told");
    assertThat(progressing().getStatus()).isEqualTo("False");
    now = NOW.plusSeconds(601);
    turns();
    assertPhase(LoadTestPhase.FAILED);
    assertWaits("UserNotReady", "NoAccessToSecrets: as told; waited for 10m");
  }

  @Test
  void anOperatorThatCannotReadUsersReportsThat() {
    for (int code : List.of(403, 404)) {
      server
          .expect()
          .get()
          .withPath(
              "/apis/kvorum.dev/v1alpha1/namespaces/test/kvorumusers"
                  + "?fieldSelector=metadata.name%3Dsweep-load")
          .andReturn(code, new StatusBuilder().withCode(code).build())
          .times(40);
      sweep(Specs.withProfile(3, "strict"));
      turns();
      assertWaits("UserNotReady", "the operator cannot read KvorumUsers");
      assertThat(load.user("sweep-load")).isNull();
      server.reset();
    }
  }

  @Test
  void aForeignUserIsNeitherUsedNorChanged() {
    kubernetes.users.user("sweep-load", FakeUsers.token(), List.of());
    KvorumUserSpec before = load.user("sweep-load").getSpec();
    sweep(Specs.withProfile(3, "strict"));
    load.report("sweep-load", UserReason.IN_EFFECT);
    turns();
    assertPhase(LoadTestPhase.WAITING);
    assertWaits("ForeignUser", "KvorumUser sweep-load belongs to another owner");
    assertThat(events()).containsOnlyOnce("ForeignUser");
    assertThat(load.user("sweep-load").getSpec()).isEqualTo(before);
    client.resource(load.user("sweep-load")).delete();
    turns();
    load.report("sweep-load", UserReason.IN_EFFECT);
    turns();
    assertPhase(LoadTestPhase.COMPLETE);
    assertThat(load.user("sweep-load").getSpec().rules().getFirst().verbs())
        .contains(KeyVerb.DELETE);
  }
}
