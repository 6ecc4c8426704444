package dev.kvorum.operator.certificates;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** An issuer of cert-manager, with a CA of its own. */
public final class FakeIssuer {
  private final String name;
  private CertifiedKey authority;

  public FakeIssuer(String name, Instant now) {
    this.name = name;
    this.authority = new Issuer(now).authority(name);
  }

  void replaceAuthority(Instant now) {
    authority = new Issuer(now).authority(name);
  }

  X509Certificate authority() {
    return authority.certificate();
  }

  /** The CA, as a file. */
  public String pem() {
    return CertifiedKey.pem(authority.certificate());
  }

  /** Issues a certificate, and lets cert-manager store it. */
  public Secret issue(KvorumCluster cluster, Instant now) {
    Subject subject = Subject.ofService(cluster);
    Map<String, String> files = new TreeMap<>();
    new Issuer(now)
        .issue(authority, "http", subject.names(), subject.purposes())
        .write(files, "tls.crt", "tls.key");
    files.put("ca.crt", pem());
    return stored(cluster, files);
  }

  Secret stored(KvorumCluster cluster, Map<String, String> files) {
    Map<String, String> data = new HashMap<>();
    files.forEach((file, text) ->
        data.put(
            file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
    return new SecretBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(cluster.getMetadata().getName() + "-http")
                .withAnnotations(
                    Map.of(
                        "cert-manager.io/certificate-name",
                        cluster.getMetadata().getName() + "-http",
                        "cert-manager.io/issuer-name",
                        name,
                        "cert-manager.io/issuer-kind",
                        "Issuer",
                        "cert-manager.io/issuer-group",
                        "cert-manager.io"))
                .build())
        .withData(data)
        .build();
  }
}
