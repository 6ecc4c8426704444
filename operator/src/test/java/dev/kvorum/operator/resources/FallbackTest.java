package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which template a StatefulSet keeps to go back to, and how it goes back. */
class FallbackTest {
  private static final StatefulSet OLD =
      TemplateSeal.sealed(StatefulSets.create(cluster("1"), operand("1"), 3));

  private static KvorumCluster cluster(String image) {
    return Specs.cluster(Specs.of(3, image, "10Gi"));
  }

  private static Operand operand(String image) {
    return new Operand("id", image, PeerTls.NONE, false);
  }

  private static StatefulSet updated(StatefulSet set, String image, boolean rolledOut) {
    return StatefulSets.updated(set, cluster(image), operand(image), rolledOut);
  }

  private static PodTemplateSpec template(StatefulSet set) {
    return set.getSpec().getTemplate();
  }

  @Test
  void theTemplateThatAllPodsHaveIsKept() {
    assertThat(Fallback.of(OLD)).isEmpty();
    StatefulSet second = updated(OLD, "2", true);
    assertThat(Fallback.of(second)).contains(template(OLD));
    StatefulSet third = updated(second, "3", false);
    assertThat(Fallback.of(third)).as("while pods have it").contains(template(OLD));
    StatefulSet next = updated(TemplateSeal.sealed(second), "3", true);
    assertThat(Fallback.of(next)).contains(template(second));
  }

  @Test
  void aTemplateOfAnotherClientIsNotKeptNorWhatWasBeforeIt() {
    StatefulSet changed =
        new StatefulSetBuilder(TemplateSeal.sealed(updated(OLD, "2", true)))
            .editSpec()
            .editTemplate()
            .editSpec()
            .editFirstContainer()
            .withImage("9")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    assertThat(Fallback.of(updated(changed, "3", true))).isEmpty();
  }

  @Test
  void aTemplateThatIsTooLargeIsNotKept() {
    KvorumClusterSpec spec = Specs.withSetting("kvorum.large", "x".repeat(Fallback.CHARACTERS_MAX));
    StatefulSet large =
        TemplateSeal.sealed(StatefulSets.create(Specs.cluster(spec), operand("1"), 3));
    assertThat(Fallback.of(updated(large, "2", true))).isEmpty();
  }

  @Test
  void theWayBackIsOneWriteThatRecordsWhy() {
    StatefulSet failed = updated(OLD, "2", true);
    StatefulSet back = Fallback.rolledBack(failed, "hash", "x".repeat(2000));
    assertThat(template(back)).isEqualTo(template(OLD));
    assertThat(TemplateSeal.isSealed(back)).isFalse();
    Map<String, String> annotations = back.getMetadata().getAnnotations();
    assertThat(annotations)
        .containsEntry(Labels.SPEC_HASH, OLD.getMetadata().getAnnotations().get(Labels.SPEC_HASH))
        .containsEntry(Labels.FAILED_UPDATE, "hash");
    assertThat(annotations.get(Labels.FAILED_UPDATE_WHY)).hasSizeLessThan(600);
    assertThat(Fallback.of(back)).as("the way back stays known").contains(template(OLD));
    assertThat(Labels.annotation(updated(back, "3", true).getMetadata(), Labels.FAILED_UPDATE))
        .isEqualTo(Optional.empty());
  }

  @Test
  void settingsOfTlsAndUsersAndTheirSecretsAreSecurity() {
    assertThat(Fallback.haveSameSecurity(template(OLD), template(updated(OLD, "2", true))))
        .isTrue();
    for (KvorumClusterSpec other :
        List.of(
            Specs.withSetting("kvorum.tls.connection-age-max", "2h"),
            Specs.withSetting("kvorum.auth.anonymous", "read"),
            Specs.withCertificates("mine", Map.of()))) {
      KvorumCluster cluster = Specs.cluster(other);
      Operand operand = new Operand("id", "1", PeerTls.wanted(cluster), false);
      assertThat(
              Fallback.haveSameSecurity(
                  template(OLD), template(StatefulSets.create(cluster, operand, 3))))
          .as(other.toString())
          .isFalse();
    }
  }
}
