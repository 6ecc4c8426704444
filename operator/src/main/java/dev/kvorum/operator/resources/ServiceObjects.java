package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;

/**
 * Builds the Services: one for clients, and a headless one that names the members, ready or not.
 */
public final class ServiceObjects {
  private ServiceObjects() {}

  /** Returns the name of the headless Service. */
  public static String peersName(String cluster) {
    return cluster + "-peers";
  }

  static Service client(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    return new ServiceBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withSelector(Labels.selector(name))
        .withPorts(port("http", PodTemplates.HTTP_PORT))
        .endSpec()
        .build();
  }

  static Service peers(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    return new ServiceBuilder()
        .withMetadata(Labels.metadata(cluster, peersName(name)))
        .withNewSpec()
        .withClusterIP("None")
        .withPublishNotReadyAddresses(true)
        .withSelector(Labels.selector(name))
        .withPorts(
            port("http", PodTemplates.HTTP_PORT),
            port("management", ManagementPort.NUMBER),
            port("rpc", PodTemplates.RPC_PORT))
        .endSpec()
        .build();
  }

  private static ServicePort port(String name, int number) {
    return new ServicePortBuilder()
        .withName(name)
        .withPort(number)
        .withProtocol("TCP")
        .withNewTargetPort(name)
        .build();
  }
}
