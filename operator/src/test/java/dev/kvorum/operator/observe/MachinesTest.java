package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.SpareDomains;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class MachinesTest {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String ANY =
      "/api/v1/nodes?labelSelector=%21node-role.kubernetes.io%2Fcontrol-plane&limit=2";
  private static final String IN_OTHER_ZONES =
      "/api/v1/nodes?labelSelector=topology.kubernetes.io%2Fzone"
          + "%2C%21node-role.kubernetes.io%2Fcontrol-plane"
          + "%2Ctopology.kubernetes.io%2Fzone%20notin%20%28a%29&limit=1";

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private static Node machine(String name, Map<String, String> labels) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .build();
  }

  private void thereIs(Map<String, String> labels) {
    server.expect().withPath("/api/v1/nodes/m1").andReturn(200, machine("m1", labels)).once();
  }

  private void found(String path, String... names) {
    NodeListBuilder list = new NodeListBuilder();
    for (String name : names) {
      list.addToItems(machine(name, Map.of()));
    }
    server.expect().withPath(path).andReturn(200, list.build()).once();
  }

  private static Pod on(String machine) {
    return new PodBuilder().withNewSpec().withNodeName(machine).endSpec().build();
  }

  @Test
  void aZoneIsReadAgainAfterAWhile() {
    Machines machines = new Machines(client, () -> now);
    assertThat(machines.place(new PodBuilder().withNewSpec().endSpec().build(), ZONE)).isEmpty();
    assertThat(machines.place(on("m1"), ZONE)).as("a machine that is gone").isEmpty();
    thereIs(Map.of());
    assertThat(machines.place(on("m1"), ZONE)).contains(new Place("m1", ""));
    thereIs(Map.of(ZONE, "a"));
    assertThat(machines.place(on("m1"), ZONE)).contains(new Place("m1", ""));
    now = now.plusSeconds(31);
    assertThat(machines.place(on("m1"), ZONE)).contains(new Place("m1", "a"));
  }

  @Test
  void domainsWithoutPodsAreAskedForWherePodsHaveTooFew() {
    Machines machines = new Machines(client, () -> now);
    Place place = new Place("m1", "a");
    found(ANY, "m1");
    found(IN_OTHER_ZONES);
    assertThat(machines.spare(new Reads(client, now), List.of(place, place), ZONE, 3))
        .isEqualTo(SpareDomains.NONE);
    found(ANY, "m1", "m2");
    found(IN_OTHER_ZONES, "m3");
    assertThat(machines.spare(new Reads(client, now), List.of(place, place), ZONE, 3))
        .isEqualTo(new SpareDomains(true, true));
    int asked = server.getRequestCount();
    assertThat(machines.spare(new Reads(client, now), List.of(), ZONE, 3))
        .isEqualTo(SpareDomains.NONE);
    assertThat(
            machines.spare(new Reads(client, now), List.of(place, new Place("m2", "b")), ZONE, 2))
        .isEqualTo(SpareDomains.NONE);
    assertThat(server.getRequestCount()).isEqualTo(asked);
  }

  @Test
  void whereMachinesCannotBeReadThereAreNoZones() {
    server.expect().withPath("/api/v1/nodes/m1").andReturn(403, "").once();
    server.expect().withPath(ANY).andReturn(403, "").once();
    server.expect().withPath(IN_OTHER_ZONES).andReturn(403, "").once();
    Machines machines = new Machines(client, () -> now);
    assertThat(machines.place(on("m1"), ZONE)).contains(new Place("m1", ""));
    Place place = new Place("m1", "a");
    assertThat(machines.spare(new Reads(client, now), List.of(place, place), ZONE, 3))
        .isEqualTo(SpareDomains.NONE);
  }
}
