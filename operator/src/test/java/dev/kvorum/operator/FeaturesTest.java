package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TopologyPhase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Features become active for all members at once, and what users see of that. */
class FeaturesTest extends MockedKubernetes {
  private static final String NEW = "content-type";

  private KvorumTopologySpec topology() {
    return kubernetes.topology().orElseThrow();
  }

  private void founded(FeatureActivation activation) {
    kubernetes.features = Set.of(NEW);
    kubernetes.create(Specs.of(3, "kvorum:1", activation));
    kubernetes.turns(operator, 40);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
  }

  @Test
  void whatIsActivatedIsListedReportedAndAnnounced() {
    founded(FeatureActivation.AUTOMATIC);
    assertThat(topology().features()).containsExactly(NEW);
    assertThat(topology().epoch()).isEqualTo(2);
    assertThat(kubernetes.cluster().getStatus().features()).containsExactly(NEW);
    assertThat(kubernetes.cluster().getStatus().inactiveFeatures()).isEmpty();
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .extracting(event -> event.getReason() + ": " + event.getMessage())
        .contains(
            "FeaturesActivated: activates content-type for good: releases without this are rejected"
                + " from now on (epoch 2)");

    kubernetes.imageChecks.answers.put("kvorum:0", "version=0.9.0\nprotocols=3..4\n");
    kubernetes.edit(Specs.of(3, "kvorum:0", FeatureActivation.AUTOMATIC));
    kubernetes.turns(operator, 40);
    assertThat(ready().getReason()).isEqualTo("FeatureMissing");
    assertThat(kubernetes.pods())
        .allMatch(pod -> pod.getSpec().getContainers().getFirst().getImage().equals("kvorum:1"));
    kubernetes.imageChecks.answers.put(
        "kvorum:2", "version=1.1.0\nprotocols=4..5\nfeatures=content-type\n");
    kubernetes.edit(Specs.of(3, "kvorum:2", FeatureActivation.AUTOMATIC));
    kubernetes.turns(operator, 60);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
  }

  @Test
  void whatIsHeldBackIsReported() {
    founded(FeatureActivation.HELD);
    assertThat(topology().features()).isEmpty();
    assertThat(kubernetes.cluster().getStatus().inactiveFeatures()).containsExactly(NEW);
    assertThat(kubernetes.pods()).hasSize(3);
  }

  /** A volume's copy is compared with it, and written again while it differs. */
  @Test
  void aTopologyOfOlderDefinitionsEqualsItsText() {
    KvorumTopologySpec without =
        new KvorumTopologySpec("id", 3, TopologyPhase.STABLE, List.of(), null);
    String text = Serialization.asJson(without);
    assertThat(Serialization.unmarshal(text, KvorumTopologySpec.class)).isEqualTo(without);
  }

  /** They would drop the list, and the operator would write it again for ever. */
  @Test
  void nothingIsActivatedUnderOlderDefinitions() {
    kubernetes.features = Set.of(NEW);
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    assertThat(topology().features()).isEmpty();
    assertThat(topology().epoch()).isEqualTo(1);
    assertThat(kubernetes.cluster().getStatus().inactiveFeatures()).isEqualTo(List.of(NEW));
  }
}
