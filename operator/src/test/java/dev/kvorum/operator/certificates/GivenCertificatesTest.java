package dev.kvorum.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Reason;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's Secret is accepted if nodes would start with it, and the reason is named if not. */
class GivenCertificatesTest {
  private static final List<KeyPurposeId> BOTH =
      List.of(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);

  private final Map<String, String> files = new TreeMap<>();
  private Instant now = Instant.parse("2026-06-01T00:00:00Z");
  private final Issuer issuer = new Issuer(now);
  private final CertifiedKey authority = issuer.authority("peers");

  @BeforeEach
  void fill() {
    files.put("peer-ca.crt", CertifiedKey.pem(authority.certificate()));
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      put("kvorum-" + ordinal, issued("id", "kvorum-" + ordinal, BOTH));
    }
    put("http", issuer.issue(authority, "http", List.of(), List.of(KeyPurposeId.id_kp_serverAuth)));
  }

  private CertifiedKey issued(String cluster, String member, List<KeyPurposeId> purposes) {
    return issuer.issue(authority, member, List.of(uri(cluster, member)), purposes);
  }

  private static GeneralName uri(String cluster, String member) {
    return new GeneralName(
        GeneralName.uniformResourceIdentifier, "kvorum://" + cluster + "/member/" + member);
  }

  private void put(String name, CertifiedKey pair) {
    pair.write(files, name + ".crt", name + ".key");
  }

  private String objection(@Nullable Secret secret, Map<String, String> settings, String profile) {
    KvorumCluster cluster =
        Specs.cluster(
            Specs.of(
                Map.of(
                    "settings",
                    settings,
                    "security",
                    Map.of(
                        "profile",
                        profile,
                        "certificates",
                        Map.of("secretRef", Map.of("name", "c"))))));
    cluster.setStatus(KvorumClusterStatus.NONE.withClusterId("id"));
    return GivenCertificates.of("c", secret, now)
        .objection(cluster)
        .map(notice -> {
          assertThat(notice.reason()).isEqualTo(Reason.INVALID_CERTIFICATES);
          return notice.message();
        })
        .orElse("");
  }

  private String objection() {
    return objection(secret(), Map.of(), "standard");
  }

  private Secret secret() {
    Map<String, String> data = new TreeMap<>();
    files.forEach((file, text) ->
        data.put(
            file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
    return new SecretBuilder().withData(data).build();
  }

  @Test
  void goodCertificatesAreAccepted() {
    assertThat(objection()).isEmpty();
  }

  @Test
  void aSecretThatIsMissingIsNamedWithWhatToPutIntoIt() {
    assertThat(objection(null, Map.of(), "open"))
        .isEqualTo("Secret/c does not exist; members are kvorum://id/member/NAME in certificates");
  }

  @Test
  void onlyWhatIsUsedIsNeeded() {
    files.clear();
    assertThat(objection(secret(), Map.of(), "open")).isEmpty();
    put("http", issuer.issue(authority, "http", List.of(), BOTH));
    Map<String, String> settings = Map.of("kvorum.tls.http", "permissive");
    assertThat(objection(secret(), settings, "open")).isEmpty();
    settings = Map.of("kvorum.tls.http", "permissive", "kvorum.tls.client-auth", "optional");
    assertThat(objection(secret(), settings, "open"))
        .isEqualTo("Secret/c: clients-ca.crt is missing");
    files.put("clients-ca.crt", CertifiedKey.pem(authority.certificate()));
    assertThat(objection(secret(), settings, "open")).isEmpty();
    assertThat(objection(secret(), Map.of("kvorum.tls.peer", "required"), "open"))
        .isEqualTo(
            "Secret/c: peer-ca.crt is missing; kvorum-0.crt is missing; kvorum-1.crt is missing; and"
                + " 1 more");
  }

  @Test
  void aCertificateThatANodeRejectsIsNamed() {
    files.remove("kvorum-2.key");
    assertThat(objection()).isEqualTo("Secret/c: kvorum-2.key is missing");
    put("kvorum-2", issued("other", "kvorum-2", BOTH));
    assertThat(objection())
        .isEqualTo("Secret/c: kvorum-2.crt is not for kvorum://id/member/kvorum-2");
    put("kvorum-2", issued("id", "kvorum-2", List.of(KeyPurposeId.id_kp_serverAuth)));
    assertThat(objection())
        .startsWith("Secret/c: kvorum-2.crt is rejected by peer-ca.crt: Extended key usage");
    fill();
    files.put("kvorum-2.key", files.get("kvorum-1.key"));
    assertThat(objection()).contains("kvorum-2.key is not the key of kvorum-2.crt");
    fill();
    files.put("kvorum-2.crt", "AAAA");
    assertThat(objection()).contains("kvorum-2.key is not the key of kvorum-2.crt");
    fill();
    files.put("peer-ca.crt", CertifiedKey.pem(issuer.authority("another").certificate()));
    assertThat(objection()).contains("kvorum-0.crt is rejected by peer-ca.crt", "kvorum-2.crt");
    files.put("peer-ca.crt", "AAAA");
    assertThat(objection()).isEqualTo("Secret/c: peer-ca.crt has no certificate");
  }

  @Test
  void certificatesAreValidForATime() {
    Instant end = now.plus(Issuer.LIFETIME);
    now = now.minus(Duration.ofDays(1));
    assertThat(objection()).contains("kvorum-0.crt is not valid before 2026-05-31T23:00:00Z");
    now = end.minusSeconds(1);
    assertThat(objection()).isEmpty();
    now = end;
    assertThat(objection()).contains("kvorum-0.crt expired at " + end, "and 1 more");
  }

  /** Keys of users may be RSA or Ed25519, and their CAs intermediate ones. */
  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void chainsOfOtherKindsOfKeysAreAccepted(String kind) throws Exception {
    CertifiedKey root = certified(kind, "root", null, null);
    CertifiedKey middle = certified(kind, "middle", root, null);
    CertifiedKey member = certified(kind, "member", middle, uri("id", "kvorum-1"));
    put("kvorum-1", member);
    files.merge("kvorum-1.crt", CertifiedKey.pem(middle.certificate()), String::concat);
    files.merge("peer-ca.crt", CertifiedKey.pem(root.certificate()), String::concat);
    assertThat(objection()).isEmpty();
    put("kvorum-1", member);
    assertThat(objection()).startsWith("Secret/c: kvorum-1.crt is rejected by peer-ca.crt");
  }

  private CertifiedKey certified(
      String kind, String name, @Nullable CertifiedKey by, @Nullable GeneralName member)
      throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(kind).generateKeyPair();
    X500Principal subject = new X500Principal("CN=" + name);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            by == null ? subject : by.certificate().getSubjectX500Principal(),
            BigInteger.ONE,
            Date.from(now),
            Date.from(now.plus(Duration.ofDays(1))),
            subject,
            pair.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(member == null));
    if (member != null) {
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(member));
    }
    String signature =
        Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA").getOrDefault(kind, kind);
    return new CertifiedKey(
        new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(
                    new JcaContentSignerBuilder(signature)
                        .build(by == null ? pair.getPrivate() : by.key()))),
        pair.getPrivate());
  }
}
