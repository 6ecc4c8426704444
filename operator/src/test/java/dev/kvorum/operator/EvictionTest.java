package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.MemberStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How many members may be evicted: one, also while a pod waits to join, and none while another one
 * is rebuilt. The operator evicts too, and waits where it may not.
 */
class EvictionTest extends MockedKubernetes {
  @BeforeEach
  void start() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile(40);
  }

  private void reconcile(int times) {
    for (int pass = 0; pass < times; pass++) {
      kubernetes.tick();
      operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
  }

  private PodDisruptionBudget budget() {
    return client
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(FakeKubernetes.NAME)
        .get();
  }

  private int evictable() {
    long ready = kubernetes.pods().stream().filter(Readiness::isPodReady).count();
    return Math.toIntExact(ready) - budget().getSpec().getMinAvailable().getIntVal();
  }

  private List<MemberStatus> members() {
    return kubernetes.cluster().getStatus().memberStates();
  }

  @Test
  void noMemberMayBeEvictedWhileOneIsFilledAgain() {
    assertThat(evictable()).isEqualTo(1);
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    assertThat(evictable()).isZero();
    Condition degraded = condition("Degraded");
    assertThat(degraded.getReason()).isEqualTo("MemberRebuilding");
    assertThat(degraded.getMessage()).contains("kvorum-1", "no member can be evicted");
    kubernetes.silent.add("kvorum-1");
    reconcile(4);
    assertThat(evictable()).as("its last word holds").isZero();
    kubernetes.silent.clear();
    kubernetes.rebuilding.clear();
    reconcile(4);
    assertThat(evictable()).isEqualTo(1);
    assertThat(ready().getStatus()).isEqualTo("True");
  }

  @Test
  void aMemberMayBeEvictedWhileThePodOfAnotherOneWaitsToJoin() {
    kubernetes.absentImages.add("kvorum:1");
    kubernetes.edit(Specs.of(5, "kvorum:1", "10Gi"));
    reconcile(6);
    assertThat(kubernetes.pods()).hasSize(4);
    assertThat(evictable()).isEqualTo(1);
    kubernetes.absentImages.clear();
    client.pods().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-3").delete();
    reconcile(40);
    assertThat(members()).hasSize(5);
    assertThat(evictable()).isEqualTo(1);
  }

  @Test
  void anUpdateWaitsForTheBudget() {
    kubernetes.evictable = false;
    kubernetes.edit(Specs.of(3, "kvorum:2", "10Gi"));
    reconcile(4);
    assertThat(progressing())
        .isEqualTo("kvorum-2 cannot be evicted now: a PodDisruptionBudget does not allow it");
    assertThat(kubernetes.pods()).hasSize(3).noneMatch(pod -> image(pod).equals("kvorum:2"));
    kubernetes.evictable = true;
    reconcile(20);
    assertThat(kubernetes.pods()).hasSize(3).allMatch(pod -> image(pod).equals("kvorum:2"));
  }

  private String progressing() {
    return condition("Progressing").getMessage();
  }

  @Test
  void theBudgetOfAPausedClusterFollowsItsMembers() {
    KvorumClusterSpec paused = Specs.paused(Specs.of(3, "kvorum:2", "10Gi"));
    kubernetes.edit(paused);
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    assertThat(budget().getSpec().getMinAvailable().getIntVal()).isEqualTo(3);
    kubernetes.rebuilding.clear();
    reconcile(4);
    assertThat(budget().getSpec().getMinAvailable().getIntVal()).isEqualTo(2);
    assertThat(ready().getReason()).isEqualTo("Paused");
    assertThat(kubernetes.pods()).allMatch(pod -> image(pod).equals("kvorum:1"));
    client.resource(budget()).delete();
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    assertThat(budget()).as("who deletes it in a pause wants none").isNull();
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getImage();
  }

  @Test
  void nothingIsWrittenWhileItIsFilled() {
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    String versions = versions();
    reconcile(10);
    assertThat(versions()).isEqualTo(versions);
  }

  private String versions() {
    return budget().getMetadata().getResourceVersion()
        + " "
        + kubernetes.cluster().getMetadata().getResourceVersion();
  }

  private static MemberStatus member(int ordinal, MemberStatus.State state) {
    String zone = List.of("a", "b", "c").get(ordinal);
    return new MemberStatus(
        "kvorum-" + ordinal, state, 1L, "1.0.0", "3..4", "kvorum:1", "machine-" + zone, zone);
  }

  @Test
  void theStatusListsTheStateOfEachMember() {
    assertThat(kubernetes.cluster().getStatus().memberSummary()).isEqualTo("3/3");
    assertThat(kubernetes.cluster().getStatus().image()).isEqualTo("kvorum:1");
    assertThat(members())
        .containsExactly(
            member(0, MemberStatus.State.ACTIVE),
            member(1, MemberStatus.State.ACTIVE),
            member(2, MemberStatus.State.ACTIVE));
    kubernetes.rebuilding.add("kvorum-1");
    kubernetes.silent.add("kvorum-2");
    reconcile(4);
    assertThat(members())
        .containsExactly(
            member(0, MemberStatus.State.ACTIVE),
            member(1, MemberStatus.State.REBUILDING),
            member(2, MemberStatus.State.ACTIVE));
  }
}
