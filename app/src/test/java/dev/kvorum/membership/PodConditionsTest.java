package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.topology.MemberId;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a node says by the conditions of its own pod. */
@EnableKubernetesMockClient(https = false)
class PodConditionsTest {
  private static final String POD = "/api/v1/namespaces/test/pods/kvorum-0";

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesMockServer server;

  private final PodConditions conditions = new PodConditions(client, "kvorum-0");

  private static PodBuilder pod(String name, String address) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("test")
        .withUid("uid-" + name)
        .endMetadata()
        .withNewSpec()
        .addNewReadinessGate("kvorum.dev/Reachable")
        .endSpec()
        .withNewStatus()
        .withPodIP(address)
        .endStatus();
  }

  private static Pod own(String gate) {
    return pod("kvorum-0", "127.0.0.1")
        .editStatus()
        .addNewCondition()
        .withType("kvorum.dev/Reachable")
        .withStatus(gate)
        .endCondition()
        .endStatus()
        .build();
  }

  private static void serverReturns(int status) {
    client.getConfiguration().setRequestRetryBackoffLimit(0);
    server.clearExpectations();
    server.expect().get().withPath(POD).andReturn(200, own("True")).always();
    server.expect().patch().withPath(POD + "/status").andReturn(status, own("True")).always();
  }

  private static String written() throws InterruptedException {
    RecordedRequest last = server.getLastRequest();
    assertThat(last.getMethod()).isEqualTo("PATCH");
    assertThat(last.getHeader("Content-Type")).contains("strategic-merge-patch");
    return last.getBody().readUtf8();
  }

  @Test
  void theGateIsOpenedOnANewPodOfThisMachineThatHasIt() throws InterruptedException {
    assertThat(conditions.see(pod("kvorum-1", "127.0.0.1").build())).isFalse();
    assertThat(conditions.see(pod("kvorum-0", "192.0.2.1").build())).as("a successor").isFalse();
    assertThat(conditions.see(own("True"))).isFalse();
    assertThat(conditions.see(own("False"))).as("closed by the operator").isFalse();
    Pod without = pod("kvorum-0", "127.0.0.1").editSpec().withReadinessGates().endSpec().build();
    assertThat(conditions.see(without)).isFalse();
    assertThat(conditions.see(pod("kvorum-0", "127.0.0.1").build())).isTrue();
    serverReturns(403);
    assertThat(conditions.update()).isFalse();
    serverReturns(200);
    assertThat(conditions.update()).isTrue();
    assertThat(written())
        .contains("\"uid\": \"uid-kvorum-0\"", "\"type\": \"kvorum.dev/Reachable\"")
        .contains("\"status\": \"True\"");
    int requests = server.getRequestCount();
    assertThat(conditions.update()).isTrue();
    assertThat(server.getRequestCount()).as("set once").isEqualTo(requests);
  }

  @Test
  void aFailedWriteIsRepeatedWithoutAnEvent() {
    client.getConfiguration().setRequestRetryBackoffLimit(0);
    server.clearExpectations();
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/test/pods?labelSelector=app.kubernetes.io%2Fname%3Dkvorum%2C"
                + "app.kubernetes.io%2Finstance%3Dkvorum&resourceVersion=0")
        .andReturn(
            200,
            new PodListBuilder()
                .withNewMetadata()
                .withResourceVersion("1")
                .endMetadata()
                .addToItems(own("True"))
                .build())
        .always();
    server.expect().get().withPath(POD).andReturn(200, own("True")).always();
    server.expect().patch().withPath(POD + "/status").andReturn(403, own("True")).once();
    AtomicBoolean stored = new AtomicBoolean();
    server
        .expect()
        .patch()
        .withPath(POD + "/status")
        .andReply(
            200,
            request -> {
              stored.set(true);
              return own("True");
            })
        .always();
    KubernetesTopology source =
        new KubernetesTopology(
            server.createClient(),
            new NamespacedName("test", "kvorum"),
            new MemberId("kvorum-0"),
            7400,
            Duration.ofHours(1),
            member -> member + ".invalid");
    source.follow(topology -> {});
    source.reportWaiting(OptionalLong.empty());
    await().untilTrue(stored);
    source.close();
  }

  @Test
  void aNodeThatWaitsReportsItUntilItIsListed() throws InterruptedException {
    conditions.waiting(OptionalLong.of(7));
    assertThat(conditions.see(own("True"))).isTrue();
    serverReturns(200);
    conditions.update();
    assertThat(written()).contains("kvorum.dev/Listed", "\"status\": \"False\"", "left in epoch 7");
    assertThat(conditions.see(own("True"))).isFalse();
    assertThat(conditions.listed()).isTrue();
    assertThat(written()).contains("kvorum.dev/Listed", "\"status\": \"True\"");
  }

  @Test
  void whatMayHaveBeenStoredIsTakenBack() {
    conditions.waiting(OptionalLong.empty());
    conditions.see(own("True"));
    serverReturns(500);
    assertThat(conditions.update()).isFalse();
    assertThat(conditions.see(own("True"))).as("it is tried again").isTrue();
    assertThat(conditions.listed()).isFalse();
    serverReturns(200);
    assertThat(conditions.listed()).isTrue();
  }

  @Test
  void whatWasRejectedNeedNotBeTakenBack() {
    conditions.waiting(OptionalLong.empty());
    conditions.see(own("True"));
    serverReturns(403);
    conditions.update();
    assertThat(conditions.see(own("True"))).isTrue();
    assertThat(conditions.listed()).isTrue();
  }
}
