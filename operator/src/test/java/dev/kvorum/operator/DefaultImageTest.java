package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which image a cluster has whose spec names none, even if it named others in between. */
class DefaultImageTest extends MockedKubernetes {
  @BeforeEach
  void start() {
    kubernetes.absentImages.add("kvorum:absent");
  }

  private void operatorWithDefault(String image) {
    kubernetes.defaultImage = image;
    operator = kubernetes.operator();
  }

  private List<String> images() {
    return kubernetes.pods().stream()
        .map(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .sorted()
        .toList();
  }

  private void isReadyWith(String image) {
    assertThat(condition("Ready").getStatus())
        .as(condition("Ready").getMessage())
        .isEqualTo("True");
    assertThat(images()).containsOnly(image).hasSize(3);
  }

  @Test
  void aBrokenImageIsTakenBackByLeavingItOut() {
    kubernetes.create(Specs.withoutImage("10Gi"));
    kubernetes.turns(operator, 40);
    isReadyWith("kvorum:default");
    operatorWithDefault("kvorum:newer");
    kubernetes.edit(Specs.of(3, "kvorum:absent", "10Gi"));
    kubernetes.turns(operator, 40);
    assertThat(condition("Ready").getReason()).isEqualTo("ImageUnusable");
    assertThat(images()).as("no member is taken").containsOnly("kvorum:default").hasSize(3);
    kubernetes.edit(Specs.withoutImage("10Gi"));
    kubernetes.turns(operator, 40);
    isReadyWith("kvorum:default");
  }

  @Test
  void anImageTwoReleasesAheadIsRejectedAndScalingContinues() {
    kubernetes.imageChecks.answers.put("kvorum:far", "version=9.0.0\nprotocols=9..10\n");
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    assertThat(kubernetes.cluster().getStatus().version()).isEqualTo("1.0.0");
    kubernetes.edit(Specs.of(4, "kvorum:far", "10Gi"));
    kubernetes.turns(operator, 60);
    assertThat(condition("Ready").getReason()).isEqualTo("UpgradeTooFar");
    assertThat(condition("Ready").getMessage())
        .contains("kvorum:far has 9.0.0 with protocol 9..10");
    assertThat(images()).containsOnly("kvorum:1").hasSize(4);
  }

  @Test
  void theDefaultOutlivesARecreatedStatefulSet() {
    kubernetes.create(Specs.withoutImage("10Gi"));
    kubernetes.turns(operator, 40);
    operatorWithDefault("kvorum:newer");
    kubernetes.edit(Specs.of(3, "kvorum:other", "20Gi"));
    kubernetes.turns(operator, 60);
    isReadyWith("kvorum:other");
    kubernetes.edit(Specs.withoutImage("20Gi"));
    kubernetes.turns(operator, 40);
    isReadyWith("kvorum:default");
  }

  @Test
  void aClusterThatNeverCameUpTakesTheOperatorsNextDefault() {
    operatorWithDefault("kvorum:absent");
    kubernetes.create(Specs.withoutImage("10Gi"));
    kubernetes.turns(operator, 40);
    assertThat(condition("Ready").getMessage())
        .contains("the image kvorum:absent cannot be pulled", "spec.image", "KVORUM_NODE_IMAGE");
    operatorWithDefault("kvorum:fixed");
    kubernetes.turns(operator, 40);
    isReadyWith("kvorum:fixed");
  }

  @Test
  void aClusterOfAnOlderOperatorKeepsTheImageItHas() {
    kubernetes.create(Specs.withoutImage("10Gi"));
    kubernetes.turns(operator, 40);
    KvorumCluster cluster = kubernetes.cluster();
    cluster.setStatus(KvorumClusterStatus.NONE.withClusterId("the-id"));
    client.resource(cluster).updateStatus();
    operatorWithDefault("kvorum:newer");
    kubernetes.turns(operator, 10);
    isReadyWith("kvorum:default");
    assertThat(kubernetes.cluster().getStatus().defaultImage()).isEqualTo("kvorum:default");
  }
}
