package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.view.NodeReport;
import io.fabric8.kubernetes.api.model.Pod;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Supplies the nodes' reports. */
public interface ReportSource {
  /**
   * Where a node is asked.
   *
   * @param isSecured whether it is asked by TLS
   */
  record Address(String pod, String ip, boolean isSecured) {}

  /** Returns the addresses of the pods that have one. */
  static List<Address> addresses(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> !pod.getStatus().getPodIP().isEmpty())
        .map(pod ->
            new Address(
                pod.getMetadata().getName(),
                pod.getStatus().getPodIP(),
                ManagementPort.speaksTls(pod.getSpec())))
        .toList();
  }

  /**
   * From now on the nodes at these addresses have to present certificates of these CAs, if there
   * are any, and are shown this token once they have.
   */
  default void trust(
      Collection<Address> pods, Set<X509Certificate> authorities, Optional<String> token) {}

  /** Returns the reports of the pods that respond in time, by pod. Never fails. */
  Map<String, NodeReport> fetch(Collection<Address> pods, Duration timeout);
}
