package dev.kvorum.membership;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the readiness gate of this node's own pod when it is new. The operator closes and opens
 * gates later (docs/adr/0026), but a new pod must not wait for an operator that may be away.
 */
final class PodGate {
  static final String REACHABLE = "kvorum.dev/Reachable";
  private static final Logger log = LoggerFactory.getLogger(PodGate.class);

  private final KubernetesClient client;
  private final String pod;
  private String lastTrouble = "";

  PodGate(KubernetesClient client, String pod) {
    this.client = client;
    this.pod = pod;
  }

  /** Returns whether this is the node's own pod and its gate was never set. */
  boolean isUnset(Pod seen) {
    return seen.getMetadata().getName().equals(pod) && hasGate(seen) && !isSet(seen);
  }

  /** Opens the gate of the node's own pod; a failure is logged once. Blocks. */
  synchronized void open(Pod seen) {
    String patch =
        """
        {"metadata": {"uid": "%s"},
         "status": {"conditions": [{"type": "%s", "status": "True", "lastTransitionTime": "%s"}]}}
        """
            .formatted(
                seen.getMetadata().getUid(),
                REACHABLE,
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    try {
      client
          .pods()
          .inNamespace(seen.getMetadata().getNamespace())
          .withName(pod)
          .subresource("status")
          .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
    } catch (KubernetesClientException failure) {
      String trouble = String.valueOf(failure.getMessage());
      if (!trouble.equals(lastTrouble)) {
        lastTrouble = trouble;
        log.warn("The readiness gate of this pod was not opened: {}", trouble);
      }
    }
  }

  private static boolean hasGate(Pod seen) {
    return seen.getSpec() != null
        && seen.getSpec().getReadinessGates().stream()
            .anyMatch(gate -> gate.getConditionType().equals(REACHABLE));
  }

  private static boolean isSet(Pod seen) {
    return seen.getStatus() != null
        && seen.getStatus().getConditions().stream()
            .anyMatch(condition -> condition.getType().equals(REACHABLE));
  }
}
