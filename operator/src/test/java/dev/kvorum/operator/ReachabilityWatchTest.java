package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.observe.ReportSource;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Release;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rounds in which readiness gates are closed and opened, and what is published of them. */
class ReachabilityWatchTest {
  private static final List<String> NAMES = List.of("kvorum-0", "kvorum-1", "kvorum-2");

  private final KvorumCluster cluster = new KvorumCluster();
  private final KvorumTopology topology = new KvorumTopology();
  private final Map<String, Pod> pods = new TreeMap<>();
  private final List<String> written = new ArrayList<>();
  private String deadPod = "";
  private String clusterId = "id";
  private boolean rejects;
  private boolean leads = true;

  @SuppressWarnings("NullAway.Init") // set up before each test
  private ReachabilityWatch watch;

  @BeforeEach
  void start() {
    cluster.setMetadata(new ObjectMetaBuilder().withName("kvorum").withNamespace("test").build());
    cluster.setSpec(Specs.of(3, "kvorum:1", "10Gi"));
    topology.setSpec(
        new KvorumTopologySpec(
            "id",
            1,
            TopologyPhase.STABLE,
            NAMES.stream().map(it -> new TopologyMember(it, "", MemberState.ACTIVE)).toList(),
            List.of()));
    NAMES.forEach(name -> pods.put(name, pod(name, "True")));
    watch =
        new ReachabilityWatch(
            () ->
                leads
                    ? List.of(
                        new ReachabilityWatch.Watched(
                            cluster, topology, List.copyOf(pods.values())))
                    : List.of(),
            this::fetch,
            writes(),
            InstantSource.system());
  }

  @AfterEach
  void stop() {
    watch.close();
  }

  private static Pod pod(String name, String gate) {
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
        .withPodIP("10.0.0.1")
        .addNewCondition()
        .withType("kvorum.dev/Reachable")
        .withStatus(gate)
        .endCondition()
        .addNewCondition()
        .withType("ContainersReady")
        .withStatus("True")
        .endCondition()
        .addNewCondition()
        .withType("Ready")
        .withStatus(gate)
        .endCondition()
        .endStatus()
        .build();
  }

  private Map<String, NodeReport> fetch(
      Collection<ReportSource.Address> addresses, Duration timeout) {
    Map<String, NodeReport> reports = new HashMap<>();
    for (ReportSource.Address address : addresses) {
      if (address.pod().equals(deadPod)) {
        continue;
      }
      Map<String, NodeReport.PeerView> peers = new HashMap<>();
      NAMES.forEach(name -> peers.put(name, new NodeReport.PeerView(!name.equals(deadPod), 0)));
      reports.put(
          address.pod(),
          new NodeReport(
              clusterId,
              address.pod(),
              Release.UNKNOWN,
              Set.of(),
              Set.of(),
              1,
              Optional.empty(),
              false,
              false,
              Optional.empty(),
              Optional.empty(),
              true,
              0,
              peers,
              Map.of(),
              "",
              OptionalLong.empty(),
              OptionalLong.empty()));
    }
    return reports;
  }

  private Writes writes() {
    return (Writes)
        Proxy.newProxyInstance(
            Writes.class.getClassLoader(),
            new Class<?>[] {Writes.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "event" ->
                    written.add(
                        ((Event) arguments[0]).getReason()
                            + ": "
                            + ((Event) arguments[0]).getMessage());
                case "reachable" -> {
                  if (rejects) {
                    throw new KubernetesClientException("not now", 409, null);
                  }
                  String name = ((Pod) arguments[0]).getMetadata().getName();
                  boolean open = (boolean) arguments[1];
                  pods.put(name, pod(name, open ? "True" : "False"));
                  written.add(name + " " + open);
                }
                default -> throw new AssertionError(method);
              }
              return null;
            });
  }

  @Test
  void aGateClosesInTheSecondRoundAndOpensAtOnce() {
    watch.round();
    deadPod = "kvorum-1";
    watch.round();
    assertThat(written).isEmpty();
    watch.round();
    assertThat(written)
        .containsExactly(
            "kvorum-1 false",
            "MemberUnreachable: kvorum-1 gets no requests of clients: most members are not"
                + " connected to it");
    watch.round();
    assertThat(written).hasSize(2);
    deadPod = "";
    watch.round();
    assertThat(written.subList(2, written.size()))
        .containsExactly(
            "kvorum-1 true", "MemberReachable: kvorum-1 gets requests of clients again");
  }

  @Test
  void aSingleRoundIsForgotten() {
    deadPod = "kvorum-1";
    watch.round();
    deadPod = "";
    watch.round();
    deadPod = "kvorum-1";
    watch.round();
    assertThat(written).isEmpty();
  }

  @Test
  void aWriteThatFailsIsRepeated() {
    deadPod = "kvorum-1";
    rejects = true;
    watch.round();
    watch.round();
    assertThat(written).isEmpty();
    rejects = false;
    watch.round();
    assertThat(written).hasSize(2);
  }

  @Test
  void nothingChangesWithoutTheLeadOrWhilePausedOrByReportsOfAnotherCluster() {
    deadPod = "kvorum-1";
    leads = false;
    watch.round();
    watch.round();
    leads = true;
    clusterId = "another";
    watch.round();
    watch.round();
    clusterId = "id";
    cluster.setSpec(Specs.paused());
    watch.round();
    watch.round();
    assertThat(written).isEmpty();
  }

  @Test
  void aPodWithoutTheGateIsLeftAlone() {
    pods.replaceAll((name, pod) ->
        new PodBuilder(pod).editSpec().withReadinessGates(List.of()).endSpec().build());
    deadPod = "kvorum-1";
    watch.round();
    watch.round();
    assertThat(written).isEmpty();
  }
}
