package dev.kvorum.plugin;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;

/** A port of a pod, forwarded to a free one of this machine's loopback address. */
final class PodPort implements AutoCloseable {
  private final LocalPortForward forward;

  private PodPort(LocalPortForward forward) {
    this.forward = forward;
  }

  static PodPort open(KubernetesClient client, Pod pod, int port) {
    return new PodPort(
        client
            .pods()
            .inNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getMetadata().getName())
            .portForward(port));
  }

  int local() {
    return forward.getLocalPort();
  }

  @Override
  public void close() {
    try {
      forward.close();
    } catch (IOException e) {
      // The response was received; a write is stored.
    }
  }
}
