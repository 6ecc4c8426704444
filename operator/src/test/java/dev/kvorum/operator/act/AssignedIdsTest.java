package dev.kvorum.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.ImageCheckJobs;
import dev.kvorum.operator.resources.Operand;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.StatefulSets;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class AssignedIdsTest {
  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesClient client;

  private static KvorumCluster cluster() {
    return Specs.cluster(Specs.of(3, "kvorum:1", "10Gi"));
  }

  private static StatefulSet members() {
    Operand operand =
        new Operand("id", "kvorum:1", PeerTls.next(cluster(), List.of(), false), false);
    return StatefulSets.create(cluster(), operand, 3);
  }

  @Test
  void podsNameNoIdsAndAreLockedInAllTheSame() {
    Job job = ImageCheckJobs.of(cluster(), "kvorum:2");
    Job asked = (Job) AssignedIds.in(job);
    StatefulSet made = (StatefulSet) AssignedIds.in(members());
    for (HasMetadata object : List.of(made, asked)) {
      assertThat(Serialization.asYaml(object))
          .doesNotContain("runAsUser", "runAsGroup", "fsGroup:")
          .contains("runAsNonRoot: true", "RuntimeDefault", "allowPrivilegeEscalation: false");
    }
    assertThat(asked.getMetadata()).isEqualTo(job.getMetadata());
    PodSecurityContext before = members().getSpec().getTemplate().getSpec().getSecurityContext();
    assertThat(before.getFsGroup()).isNotNull();
    made.getSpec().getTemplate().getSpec().setSecurityContext(before);
    assertThat(made).as("nothing else differs").isEqualTo(members());
  }

  @Test
  void otherObjectsStayAsTheyAre() {
    ConfigMap map = new ConfigMapBuilder().addToData("a", "b").build();
    assertThat(AssignedIds.in(map)).isSameAs(map);
  }

  @Test
  void theyAreLeftOutOfAllThatIsWritten() {
    KubernetesWrites writes = new KubernetesWrites(client, AssignedIds::in);
    writes.create(members());
    StatefulSet made = there();
    assertThat(ids(made)).isNull();
    made.getSpec().setTemplate(members().getSpec().getTemplate());
    writes.replace(made);
    assertThat(ids(there())).isNull();
    made.getMetadata().setResourceVersion(there().getMetadata().getResourceVersion());
    new KubernetesWrites(client).replace(made);
    assertThat(ids(there())).isEqualTo(10_001);
  }

  private StatefulSet there() {
    return client.apps().statefulSets().inNamespace("shop").withName("kvorum").require();
  }

  private static @Nullable Long ids(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getSecurityContext().getRunAsUser();
  }
}
