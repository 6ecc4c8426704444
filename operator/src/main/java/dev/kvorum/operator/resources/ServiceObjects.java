package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.SecurityProfile;
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
        .withPorts(clients(cluster))
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
            clients(cluster),
            port("management", ManagementPort.NUMBER, web(isManagementSecured(cluster))),
            port("rpc", PodTemplates.RPC_PORT, "tcp"))
        .endSpec()
        .build();
  }

  /** Where clients may use TLS or not, the port is one of HTTP. */
  private static ServicePort clients(KvorumCluster cluster) {
    KvorumClusterSpec spec = cluster.getSpec();
    boolean needsTls =
        spec.security().profile() == SecurityProfile.STRICT
            || TlsMode.of(spec.settings().getOrDefault("kvorum.tls.http", "")) == TlsMode.REQUIRED;
    return port("http", PodTemplates.HTTP_PORT, web(needsTls));
  }

  private static boolean isManagementSecured(KvorumCluster cluster) {
    return ManagementPort.isSecured(cluster, PeerTls.wanted(cluster));
  }

  private static String web(boolean needsTls) {
    return needsTls ? "https" : "http";
  }

  /** Meshes, gateways and load balancers take the protocol from the port instead of guessing. */
  private static ServicePort port(String name, int number, String protocol) {
    return new ServicePortBuilder()
        .withName(name)
        .withPort(number)
        .withProtocol("TCP")
        .withAppProtocol(protocol)
        .withNewTargetPort(name)
        .build();
  }
}
