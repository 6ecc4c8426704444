package dev.kvorum.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.Operand;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.StatefulSets;
import dev.kvorum.operator.resources.VolumeOwner;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.util.List;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class HostPathsTest {
  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesClient client;

  private static KvorumCluster cluster() {
    return Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
  }

  private void defaultClass(String provisioner) {
    client
        .resource(
            new StorageClassBuilder()
                .withNewMetadata()
                .withName("standard")
                .addToAnnotations("storageclass.kubernetes.io/is-default-class", "true")
                .endMetadata()
                .withProvisioner(provisioner)
                .build())
        .create();
  }

  @Test
  void pathsOnMachinesBelongToRoot() {
    defaultClass("kubernetes.io/host-path");
    assertThat(new HostPaths(client).test(cluster())).isTrue();
  }

  @Test
  void otherVolumesHeedTheGroup() {
    defaultClass("ebs.csi.aws.com");
    assertThat(new HostPaths(client).test(cluster())).isFalse();
  }

  @Test
  void withoutAClassNothingIsKnownOfThem() {
    assertThat(new HostPaths(client).test(cluster())).isFalse();
  }

  @Test
  void aContainerThatMayDoNothingElseTakesPossession() {
    List<Container> first =
        VolumeOwner.withChownInit(
                StatefulSets.create(
                    cluster(),
                    new Operand("id", "kvorum:1", PeerTls.next(cluster(), List.of(), false), false),
                    3))
            .getSpec()
            .getTemplate()
            .getSpec()
            .getInitContainers();
    assertThat(first).hasSize(1);
    assertThat(first.getFirst().getCommand()).containsExactly("chown", "10001:10001", "/data");
    assertThat(first.getFirst().getSecurityContext().getCapabilities().getAdd())
        .containsExactly("CHOWN");
  }
}
