package dev.kvorum.operator.certificates;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.ServiceObjects;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;

/**
 * What a certificate is for.
 *
 * @param names its subject alternative names
 * @param purposes its extended key usage
 */
record Subject(List<GeneralName> names, List<KeyPurposeId> purposes) {
  /** Addresses of {@code kubectl port-forward}. */
  static final List<String> ADDRESSES = List.of("127.0.0.1", "::1");

  Subject {
    names = List.copyOf(names);
    purposes = List.copyOf(purposes);
  }

  /** The name of a member in its certificate. */
  static String uri(String clusterId, String member) {
    return "kvorum://" + clusterId + "/member/" + member;
  }

  static Subject ofMember(String clusterId, String member) {
    return new Subject(
        List.of(new GeneralName(GeneralName.uniformResourceIdentifier, uri(clusterId, member))),
        List.of(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth));
  }

  static Subject ofService(KvorumCluster cluster) {
    return new Subject(
        Stream.concat(
                dnsNames(cluster).stream().map(it -> new GeneralName(GeneralName.dNSName, it)),
                ADDRESSES.stream().map(it -> new GeneralName(GeneralName.iPAddress, it)))
            .toList(),
        List.of(KeyPurposeId.id_kp_serverAuth));
  }

  /** The Service, each pod by the headless Service, and {@code kubectl port-forward}. */
  static List<String> dnsNames(KvorumCluster cluster) {
    ObjectMeta metadata = cluster.getMetadata();
    String namespace = "." + metadata.getNamespace();
    return Stream.concat(
            Stream.of(metadata.getName(), "*." + ServiceObjects.peersName(metadata.getName()))
                .flatMap(host ->
                    Stream.of("", namespace, namespace + ".svc", namespace + ".svc.cluster.local")
                        .map(domain -> host + domain)),
            Stream.of("localhost"))
        .toList();
  }
}
