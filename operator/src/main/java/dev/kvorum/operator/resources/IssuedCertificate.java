package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.kvorum.operator.api.IssuerReference;
import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * cert-manager's Certificate {@code C-http}, which asks an issuer for what a cluster's clients
 * connect to. cert-manager stores it in the Secret of the same name.
 */
@Group("cert-manager.io")
@Version("v1")
@Kind(IssuedCertificate.KIND)
@Plural("certificates")
public final class IssuedCertificate
    extends CustomResource<IssuedCertificate.Spec, IssuedCertificate.Status> implements Namespaced {
  static final String KIND = "Certificate";

  /**
   * What is asked for.
   *
   * @param renewBefore how long before its end: so long that it can wait until all clients trust
   *     another CA, and that of 90 days no node warns of it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Spec(
      String secretName,
      IssuerReference issuerRef,
      List<String> dnsNames,
      List<String> ipAddresses,
      String duration,
      String renewBefore,
      List<String> usages,
      PrivateKey privateKey) {
    public Spec {
      dnsNames = copy(dnsNames);
      ipAddresses = copy(ipAddresses);
      usages = copy(usages);
    }
  }

  /** Of what form its key is: one that nodes read. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record PrivateKey(String algorithm, int size, String encoding, String rotationPolicy) {
    static final PrivateKey OF_NODES = new PrivateKey("ECDSA", 256, "PKCS8", "Always");
  }

  /** What has become of it. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Status(List<Condition> conditions) {
    public Status {
      conditions = copy(conditions);
    }
  }

  private static <T> List<T> copy(List<T> list) {
    return List.copyOf(requireNonNullElse(list, List.of()));
  }

  /** Name of a cluster's, and of the Secret in which it is stored. */
  public static String name(String cluster) {
    return cluster + "-http";
  }

  /** Returns one without contents, to find the one that exists. */
  public static IssuedCertificate named(KvorumCluster cluster) {
    IssuedCertificate certificate = new IssuedCertificate();
    certificate.setMetadata(Labels.metadata(cluster, name(cluster.getMetadata().getName())));
    return certificate;
  }

  /** Returns the desired one. */
  public static IssuedCertificate of(
      KvorumCluster cluster,
      IssuerReference issuer,
      List<String> dnsNames,
      List<String> addresses) {
    IssuedCertificate certificate = named(cluster);
    certificate.setSpec(
        new Spec(
            certificate.getMetadata().getName(),
            issuer,
            dnsNames,
            addresses,
            "2160h0m0s",
            "1080h0m0s",
            List.of("digital signature", "server auth"),
            PrivateKey.OF_NODES));
    return ClusterObjects.hashed(certificate);
  }

  /** Why cert-manager has not stored it; empty if it has, or says nothing. */
  public Optional<String> problem() {
    return Optional.ofNullable(getStatus()).map(Status::conditions).stream()
        .flatMap(List::stream)
        .filter(condition -> "Ready".equals(condition.getType()))
        .filter(condition -> !"True".equals(condition.getStatus()))
        .map(Condition::getMessage)
        .filter(Objects::nonNull)
        .findFirst();
  }
}
