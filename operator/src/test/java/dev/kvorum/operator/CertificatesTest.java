package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.certificates.FakeIssuer;
import dev.kvorum.operator.resources.IssuedCertificate;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator issues certificates, and changes clusters to TLS and back. */
class CertificatesTest extends MockedKubernetes {
  private static final String TLS = "kvorum-tls";

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");

  @BeforeEach
  void start() {
    operator = kubernetes.operator(kubernetes.door(written -> {}), () -> now);
  }

  private String file(String secret, String name) {
    return new String(
        Base64.getDecoder().decode(secret(secret).getData().get(name)), StandardCharsets.US_ASCII);
  }

  private X509Certificate certificate(String secret, String name) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(file(secret, name).getBytes(StandardCharsets.US_ASCII)));
  }

  /** Whether the JDK, as in the nodes, accepts a certificate in the pods' Secret now. */
  private X509Certificate verified(String name, String authority) throws GeneralSecurityException {
    X509Certificate certificate = certificate(TLS, name);
    PKIXParameters parameters =
        new PKIXParameters(Set.of(new TrustAnchor(certificate(authority, "ca.crt"), null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)),
            parameters);
    return certificate;
  }

  @Test
  void aNewClusterIsSecuredFromTheStart() throws GeneralSecurityException {
    become(Specs.withProfile(3, "standard"));
    assertThat(kubernetes.pods())
        .hasSize(3)
        .allSatisfy(pod ->
            assertThat(tls(pod))
                .isEqualTo(
                    Map.of("DIR", "/etc/kvorum/tls", "PEER", "required", "HTTP", "permissive")));
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      X509Certificate member = verified("kvorum-" + ordinal + ".crt", "kvorum-peer-ca");
      assertThat(member.getSubjectAlternativeNames())
          .containsExactly(List.of(6, "kvorum://the-id/member/kvorum-" + ordinal));
      assertThat(member.getExtendedKeyUsage())
          .as("server and client")
          .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
      assertThat(Duration.between(now, member.getNotAfter().toInstant())).hasDays(90);
    }
    assertThat(file(TLS, "peer-ca.crt")).isEqualTo(file("kvorum-peer-ca", "ca.crt"));
    assertThat(verified("http.crt", "kvorum-http-ca").getSubjectAlternativeNames())
        .contains(
            List.of(2, "kvorum"),
            List.of(2, "kvorum.test.svc"),
            List.of(2, "*.kvorum-peers.test.svc"),
            List.of(2, "localhost"),
            List.of(7, "127.0.0.1"));
    ConfigMap forClients =
        client.configMaps().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-ca").get();
    assertThat(forClients.getData()).isEqualTo(Map.of("ca.crt", file("kvorum-http-ca", "ca.crt")));
    assertThat(secret(TLS).getData()).as("no key of a CA").doesNotContainKey("ca.key");
    CertificatesStatus status = kubernetes.cluster().getStatus().certificates();
    assertThat(status)
        .isEqualTo(
            new CertificatesStatus(now.plus(Duration.ofDays(90)).toString(), List.of(), null));
  }

  @Test
  void aNewMemberHasACertificateBeforeItHasAPod() {
    List<String> early = new ArrayList<>();
    become(Specs.withProfile(3, "standard"));
    String before = file(TLS, "kvorum-0.crt");
    operator =
        kubernetes.operator(
            kubernetes.door(written -> {
              if (kubernetes.pods().size() > 3
                  && !secret(TLS).getData().containsKey("kvorum-3.key")) {
                early.add("a pod without a certificate");
              }
            }),
            () -> now);
    become(Specs.withProfile(4, "standard"));
    assertThat(early).isEmpty();
    assertThat(secret(TLS).getData()).containsKeys("kvorum-3.crt", "kvorum-3.key");
    assertThat(file(TLS, "kvorum-0.crt")).as("the others keep theirs").isEqualTo(before);
  }

  @Test
  void certificatesAreRenewedWithoutARestart() throws GeneralSecurityException {
    become(Specs.withProfile(3, "standard"));
    Map<String, String> pods = uids();
    Map<String, String> first = secret(TLS).getData();
    Map<String, String> authority = secret("kvorum-peer-ca").getData();
    now = now.plus(Duration.ofDays(53));
    kubernetes.turns(operator, 20);
    assertThat(secret(TLS).getData()).isEqualTo(first);
    now = now.plus(Duration.ofDays(2));
    kubernetes.turns(operator, 20);
    assertThat(secret(TLS).getData()).hasSameSizeAs(first);
    for (String name : List.of("kvorum-0", "kvorum-1", "kvorum-2", "http")) {
      assertThat(secret(TLS).getData().get(name + ".crt")).isNotEqualTo(first.get(name + ".crt"));
      assertThat(secret(TLS).getData().get(name + ".key"))
          .as("with a new key")
          .isNotEqualTo(first.get(name + ".key"));
      verified(name + ".crt", name.equals("http") ? "kvorum-http-ca" : "kvorum-peer-ca");
    }
    assertThat(secret("kvorum-peer-ca").getData()).isEqualTo(authority);
    assertThat(uids()).isEqualTo(pods);
  }

  @Test
  void aDeletedAuthorityIsReplacedOnceAllMembersHaveReadTheNext() {
    become(Specs.withProfile(3, "standard"));
    Map<String, String> pods = uids();
    String first = file(TLS, "peer-ca.crt");
    String certificate = file(TLS, "kvorum-0.crt");
    kubernetes.certificates.arrives = false;
    client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-peer-ca").delete();
    kubernetes.turns(operator, 20);
    assertThat(file(TLS, "peer-ca.crt")).contains(first).isNotEqualTo(first);
    assertThat(file(TLS, "kvorum-0.crt")).isEqualTo(certificate);
    assertThat(kubernetes.cluster().getStatus().certificates())
        .extracting(CertificatesStatus::replacing)
        .isEqualTo(List.of("kvorum-peer-ca"));
    kubernetes.certificates.arrives = true;
    kubernetes.turns(operator, 20);
    assertThat(file(TLS, "peer-ca.crt")).doesNotContain(first);
    assertThat(file(TLS, "peer-ca.crt")).isEqualTo(file("kvorum-peer-ca", "ca.crt"));
    assertThat(kubernetes.cluster().getStatus().certificates())
        .extracting(CertificatesStatus::replacing)
        .isEqualTo(List.of());
    assertThat(uids()).isEqualTo(pods);
  }

  @Test
  void whatIsDamagedByHandIsIssuedAgain() throws GeneralSecurityException {
    become(Specs.withProfile(3, "standard"));
    Map<String, String> whole = secret(TLS).getData();
    Map<String, String> damaged = new HashMap<>(whole);
    damaged.remove("kvorum-0.crt");
    damaged.put("kvorum-1.key", whole.get("kvorum-2.key"));
    damaged.put("kvorum-2.crt", whole.get("http.crt"));
    damaged.put("kvorum-2.key", whole.get("http.key"));
    damaged.put("peer-ca.crt", "AAAA");
    client.resource(new SecretBuilder(secret(TLS)).withData(damaged).build()).update();
    kubernetes.turns(operator, 20);
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      verified("kvorum-" + ordinal + ".crt", "kvorum-peer-ca");
    }
    assertThat(secret(TLS).getData())
        .containsEntry("http.crt", whole.get("http.crt"))
        .containsEntry("peer-ca.crt", whole.get("peer-ca.crt"))
        .hasSameSizeAs(whole);
  }

  @Test
  void anIssuerIssuesTheCertificateForClients() throws GeneralSecurityException {
    FakeIssuer issuer = new FakeIssuer("company", now);
    KvorumClusterSpec own = Specs.withProfile(3, "strict");
    kubernetes.create(Specs.withIssuer(own, "company"));
    kubernetes.turns(operator, 20);
    assertThat(kubernetes.pods()).isEmpty();
    assertThat(ready().getMessage()).contains("certificates: cert-manager has not stored");
    IssuedCertificate asked = asked().get();
    asked.setStatus(
        new IssuedCertificate.Status(
            List.of(
                new ConditionBuilder()
                    .withType("Ready")
                    .withStatus("False")
                    .withMessage("Issuer company not found")
                    .build())));
    assertThat(asked().patch(asked)).isNotNull();
    kubernetes.turns(operator, 5);
    assertThat(ready().getMessage()).contains("Certificate/kvorum-http: Issuer company not found");

    assertThat(client.resource(issuer.issue(kubernetes.cluster(), now)).create()).isNotNull();
    kubernetes.turns(operator, 100);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    Map<String, String> pods = uids();
    assertThat(file(TLS, "http.crt")).isEqualTo(file("kvorum-http", "tls.crt"));
    assertThat(trustedByClients())
        .contains(issuer.pem())
        .contains(file("kvorum-http-ca", "ca.crt"));
    verified("kvorum-0.crt", "kvorum-peer-ca");

    become(own);
    assertThat(asked().get()).isNull();
    verified("http.crt", "kvorum-http-ca");
    assertThat(trustedByClients()).doesNotContain(issuer.pem());
    assertThat(uids()).as("without a restart").isEqualTo(pods);
  }

  private Resource<IssuedCertificate> asked() {
    return client
        .resources(IssuedCertificate.class)
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("kvorum-http");
  }

  private String trustedByClients() {
    ConfigMap map =
        client.configMaps().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-ca").get();
    return map.getData().getOrDefault("ca.crt", "");
  }
}
