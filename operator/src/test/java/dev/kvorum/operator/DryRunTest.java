package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.PlanStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A number of members that is only asked about is in the status, and nowhere else. */
class DryRunTest extends MockedKubernetes {
  @Test
  void aPlanIsReportedWhileItIsAskedFor() {
    KvorumClusterSpec spec = Specs.of(3, "kvorum:1", "10Gi");
    kubernetes.create(spec);
    kubernetes.turns(operator, 60);
    assertThat(kubernetes.cluster().getStatus().plan()).isNull();

    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.put("dryRunReplicas", 5);
    kubernetes.edit(Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class));
    kubernetes.turns(operator, 10);
    PlanStatus plan = Objects.requireNonNull(kubernetes.cluster().getStatus().plan());
    assertThat(plan.replicas()).isEqualTo(5);
    assertThat(plan.members()).hasSize(5);
    assertThat(plan.losses()).hasSize(6);
    assertThat(kubernetes.topology().orElseThrow().epoch()).isEqualTo(1);
    assertThat(kubernetes.pods()).hasSize(3);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");

    kubernetes.edit(spec);
    kubernetes.turns(operator, 10);
    assertThat(kubernetes.cluster().getStatus().plan()).isNull();
  }
}
