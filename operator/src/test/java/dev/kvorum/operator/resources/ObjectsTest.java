package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.SecurityProfile;
import dev.kvorum.operator.api.TopologyPhase;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The objects of a cluster, held to what is committed; {@code -Dgolden.write=true} writes them
 * again.
 */
class ObjectsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  private static final Map<String, String> KEPT =
      Map.of("argocd.argoproj.io/sync-options", "Prune=false,Delete=false");

  static StatefulSet set(KvorumClusterSpec spec) {
    KvorumCluster cluster = Specs.cluster(spec);
    return StatefulSets.create(
        cluster, new Operand("the-id", "kvorum:1", PeerTls.wanted(cluster), haveUsers(cluster)), 3);
  }

  private static String hash(KvorumClusterSpec spec) {
    KvorumCluster cluster = Specs.cluster(spec);
    return SpecHash.of(cluster, PeerTls.wanted(cluster), haveUsers(cluster));
  }

  private static boolean haveUsers(KvorumCluster cluster) {
    return cluster.getSpec().security().profile() != SecurityProfile.OPEN;
  }

  private static void holds(String name, Object object) throws IOException {
    Path file = GOLDEN.resolve(name + ".yaml");
    String text = Serialization.asYaml(object);
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, text);
    }
    assertThat(text)
        .as("%s; -Dgolden.write=true writes it again", file)
        .isEqualTo(Files.readString(file));
  }

  @Test
  void theStatefulSetIsAsCommitted() throws IOException {
    holds("statefulset", set(Specs.of(3, "kvorum:1", "10Gi")));
  }

  @Test
  void membersMayBeKeptOffEachOthersMachines() {
    PodSpec pod = set(Specs.withOwnMachines()).getSpec().getTemplate().getSpec();
    assertThat(
            pod.getAffinity()
                .getPodAntiAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution())
        .singleElement()
        .satisfies(term -> {
          assertThat(term.getTopologyKey()).isEqualTo("kubernetes.io/hostname");
          assertThat(term.getLabelSelector().getMatchLabels())
              .containsEntry("app.kubernetes.io/instance", "kvorum");
        });
    assertThat(hash(Specs.withOwnMachines()))
        .as("members are restarted for it")
        .isNotEqualTo(hash(KvorumClusterSpec.DEFAULTS));
  }

  @Test
  void theOtherObjectsAreAsCommitted() throws IOException {
    for (HasMetadata object :
        ClusterObjects.of(
            Specs.cluster(Specs.of(3, "kvorum:1", "10Gi")), 3, 2, Optional.of("operators"))) {
      holds(
          ClusterObjects.key(object).toLowerCase(java.util.Locale.ROOT).replace('/', '-'), object);
    }
  }

  @Test
  void whatHasNoOwnerIsNotPruned() {
    KvorumCluster cluster = Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
    KvorumTopology topology =
        Topologies.create(
            cluster,
            new KvorumTopologySpec("the-id", 1, TopologyPhase.STABLE, List.of(), List.of()));
    assertThat(topology.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(topology.getMetadata().getAnnotations()).containsAllEntriesOf(KEPT);
    topology.getMetadata().setAnnotations(Map.of("note", "a"));
    assertThat(Topologies.isKept(topology)).isFalse();
    assertThat(Topologies.marked(topology, cluster, false).getMetadata().getAnnotations())
        .containsAllEntriesOf(KEPT)
        .containsEntry("note", "a");
    PersistentVolumeClaim claim =
        new PersistentVolumeClaimBuilder().withNewMetadata().endMetadata().build();
    assertThat(Volumes.marked(claim, cluster, "the-id").getMetadata().getAnnotations())
        .containsAllEntriesOf(KEPT);
  }

  @Test
  void aFoundedTopologyIsMarked() {
    KvorumCluster cluster = Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
    KvorumTopology topology =
        Topologies.create(
            cluster,
            new KvorumTopologySpec("the-id", 1, TopologyPhase.STABLE, List.of(), List.of()));
    assertThat(Topologies.isFounded(topology)).isFalse();
    KvorumTopology founded = Topologies.marked(topology, cluster, true);
    assertThat(founded.getMetadata().getAnnotations()).containsEntry("kvorum.dev/founded", "true");
    assertThat(Topologies.isFounded(Topologies.marked(founded, cluster, false)))
        .as("never taken back")
        .isTrue();
  }

  @Test
  void aTopologyHasTheReplicationUnderWhichItWasFounded() {
    KvorumCluster cluster = Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
    KvorumTopology topology =
        Topologies.create(
            cluster,
            new KvorumTopologySpec("the-id", 1, TopologyPhase.STABLE, List.of(), List.of()));
    assertThat(Topologies.replication(topology)).hasValue(3);
    for (String said : List.of("2", "none")) {
      topology.getMetadata().setAnnotations(Map.of("kvorum.dev/replication", said));
      assertThat(Topologies.replication(Topologies.marked(topology, cluster, false)))
          .hasValue(said.equals("2") ? 2 : 3);
    }
  }

  @Test
  void certificatesAreMountedWhereNodesLookForThem() {
    KvorumClusterSpec spec = Specs.withCertificates("certs", Map.of("kvorum.tls.peer", "required"));
    PodSpec pod = set(spec).getSpec().getTemplate().getSpec();
    assertThat(pod.getVolumes())
        .filteredOn(volume -> volume.getSecret() != null)
        .singleElement()
        .satisfies(volume -> {
          assertThat(volume.getSecret().getSecretName()).isEqualTo("certs");
          assertThat(volume.getSecret().getDefaultMode()).as("not by others").isEqualTo(0440);
        });
    Container node = pod.getContainers().getFirst();
    assertThat(node.getVolumeMounts())
        .filteredOn(mount -> mount.getMountPath().equals("/etc/kvorum/tls"))
        .singleElement()
        .satisfies(mount -> assertThat(mount.getSubPath()).as("never updated").isNull());
    assertThat(node.getEnv())
        .filteredOn(variable -> variable.getName().startsWith("KVORUM_TLS"))
        .extracting(EnvVar::getValue)
        .containsExactly("/etc/kvorum/tls", "required");
    assertThat(NodeEnvironment.invalid(spec)).isEmpty();
    assertThat(hash(spec)).isNotEqualTo(hash(Specs.withSetting("kvorum.tls.peer", "required")));
  }

  @Test
  void namesThatNoServiceCanHaveAreRejected() {
    for (String name : List.of("my.store", "1store", "Store", "store-", "-store", "s".repeat(46))) {
      assertThat(StatefulSets.invalid(named(name), "kvorum:1"))
          .as(name)
          .extracting(Notice::reason)
          .containsExactly(Reason.INVALID_NAME);
    }
    for (String name : List.of("s", "my-store-1", "s".repeat(45))) {
      assertThat(StatefulSets.invalid(named(name), "kvorum:1")).as(name).isEmpty();
    }
  }

  private static KvorumCluster named(String name) {
    KvorumCluster cluster = Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
    cluster.getMetadata().setName(name);
    return cluster;
  }

  @Test
  void tooLittleMemoryAndNoImageAreRejected() {
    assertThat(StatefulSets.invalid(Specs.cluster(Specs.withMemory("256Mi")), ""))
        .extracting(Notice::reason)
        .containsExactly(Reason.MEMORY_TOO_SMALL, Reason.NO_IMAGE);
    assertThat(StatefulSets.invalid(Specs.cluster(Specs.withMemory("1Gi")), "kvorum:1")).isEmpty();
  }

  @Test
  void whatIsNoQuantityIsNamed() {
    for (String mistyped : List.of("768MB", "", "-1Gi", "much", "1.2.3Gi")) {
      assertThat(StatefulSets.invalid(Specs.cluster(Specs.withMemory(mistyped)), "kvorum:1"))
          .containsExactly(
              new Notice(
                  Reason.INVALID_QUANTITY,
                  "resources.limits.memory: '"
                      + mistyped
                      + "' is not a quantity such as 500m or 1Gi"));
    }
    for (String mistyped : List.of("10GB", "", "0", "0Gi")) {
      assertThat(StatefulSets.invalid(Specs.cluster(Specs.of(3, "kvorum:1", mistyped)), "kvorum:1"))
          .extracting(Notice::reason)
          .as(mistyped)
          .containsExactly(Reason.INVALID_QUANTITY);
    }
  }

  @Test
  void aQuantityWrittenAsANumberHashesLikeItsText() {
    assertThat(hash(Specs.of(Map.of("resources", Map.of("limits", Map.of("memory", 2))))))
        .isEqualTo(hash(Specs.withMemory("2")));
  }

  @Test
  void onlyTheUsersFieldsChangeTheHash() {
    String hash = hash(Specs.of(3, "kvorum:1", "10Gi"));
    assertThat(hash).as("written down: another one restarts every pod").isEqualTo("2ea42d68c9be");
    assertThat(hash(Specs.of(5, "kvorum:1", "20Gi"))).isEqualTo(hash);
    assertThat(hash(Specs.of(3, "kvorum:2", "10Gi"))).isNotEqualTo(hash);
    assertThat(hash(Specs.withMemory("1Gi"))).isNotEqualTo(hash(Specs.withMemory("2Gi")));
  }

  @Test
  void aVolumeTemplateNeverChangesButInItsSize() {
    KvorumClusterSpec other = Specs.of(5, "kvorum:2", "10Gi");
    assertThat(set(other).getSpec().getVolumeClaimTemplates())
        .isEqualTo(set(Specs.of(3, "kvorum:1", "10Gi")).getSpec().getVolumeClaimTemplates());
  }

  @Test
  void aPodIsGivenWhatTheUserAsksForButNotOtherLabels() {
    PodExtras extras =
        new PodExtras(
            Map.of("disk", "ssd"),
            List.of(),
            Map.of("note", "a"),
            Map.of(Labels.NAME_LABEL, "other", "team", "b"),
            List.of(),
            "high");
    StatefulSet set = set(Specs.of(Map.of("pod", extras)));
    PodSpec pod = set.getSpec().getTemplate().getSpec();
    assertThat(pod.getNodeSelector()).containsEntry("disk", "ssd");
    assertThat(pod.getPriorityClassName()).isEqualTo("high");
    assertThat(set.getSpec().getTemplate().getMetadata().getLabels())
        .containsEntry("team", "b")
        .containsEntry(Labels.NAME_LABEL, "kvorum");
  }
}
