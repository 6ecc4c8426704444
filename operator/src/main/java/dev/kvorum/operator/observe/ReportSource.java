package dev.kvorum.operator.observe;

import dev.kvorum.operator.view.NodeReport;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Supplies the nodes' reports. */
public interface ReportSource {
  /** A pod and its IP address. */
  record Address(String pod, String ip) {}

  /** Returns the addresses of the pods that have one. */
  static List<Address> addresses(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> !pod.getStatus().getPodIP().isEmpty())
        .map(pod -> new Address(pod.getMetadata().getName(), pod.getStatus().getPodIP()))
        .toList();
  }

  /** Returns the reports of the pods that respond in time, by pod. Never fails. */
  Map<String, NodeReport> fetch(Collection<Address> pods, Duration timeout);
}
