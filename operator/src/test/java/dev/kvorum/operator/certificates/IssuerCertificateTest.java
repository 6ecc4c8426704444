package dev.kvorum.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.IssuedCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients accept what nodes present while an issuer issues it, and its CA changes. */
class IssuerCertificateTest extends Rotation {
  private static final int TURNS = 50;
  private static final String ISSUER = "company";

  private final FakeIssuer issuer = new FakeIssuer(ISSUER, now);

  private void ask(String name) {
    cluster = Specs.cluster(Specs.withIssuer(Specs.withProfile(3, "standard"), name));
  }

  private void dismiss() {
    cluster = Specs.cluster(Specs.withProfile(3, "standard"));
  }

  private void issue() {
    issued = Optional.of(issuer.issue(cluster, now));
  }

  private void replaceAuthority() {
    issuer.replaceAuthority(now);
    issue();
  }

  private X509Certificate presented() {
    return Authorities.certificates(text(MOUNTED, "http.crt")).getFirst();
  }

  private boolean isOf(X509Certificate authority) {
    return CertifiedKey.isIssuedBy(presented(), authority);
  }

  private CertificateObjects objects() {
    return new CertificateObjects(cluster, "id", now, stored, issued);
  }

  /** An operator that runs writes within seconds. */
  private void operate() {
    for (int turn = 0; turn < 4 && hadToWrite(); turn++) {}
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void clientsAcceptWhatNodesPresent(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    settle();
    int adopted = 0;
    Instant replaced = now;
    for (int turn = 0; turn < TURNS; turn++) {
      int dice = random.nextInt(12);
      if (turn == 0 || dice == 0) {
        ask(ISSUER);
      } else if (dice == 1 && random.nextInt(4) == 0) {
        dismiss();
      } else if (dice == 1) {
        issued = Optional.empty();
      } else if (dice == 2 && now.isAfter(replaced.plus(Duration.ofDays(10)))) {
        replaced = now;
        replaceAuthority();
      } else if (dice <= 3) {
        issue();
      } else if (dice <= 7) {
        passes(Duration.ofDays(1));
      } else {
        reads(PODS.get(random.nextInt(PODS.size())));
      }
      operate();
      check("seed " + seed + ", turn " + turn);
      adopted += isOf(issuer.authority()) ? 1 : 0;
    }
    assertThat(adopted).as("turns with the issuer's with seed %d", seed).isPositive();
    dismiss();
    settle();
    check("seed " + seed + ", in the end");
    assertThat(trusted(bundle())).as("seed %d", seed).hasSize(1);
  }

  @Test
  void clientsHaveAWeekToLearnOfAnotherAuthority() {
    settle();
    ask(ISSUER);
    settle();
    assertThat(objects().pending()).as("nothing is stored").isPresent();
    issue();
    operate();
    assertThat(trusted(bundle())).contains(issuer.authority());
    now = now.plus(MountedFiles.GRACE).minus(Duration.ofMinutes(1));
    operate();
    assertThat(isOf(issuer.authority())).isFalse();
    assertThat(objects().pending().orElseThrow()).contains("until " + now.plusSeconds(60));
    now = now.plus(Duration.ofMinutes(1));
    operate();
    assertThat(isOf(issuer.authority())).isTrue();
    assertThat(objects().pending()).isEmpty();
    X509Certificate first = presented();
    issue();
    operate();
    assertThat(presented()).as("of the same CA: at once").isNotEqualTo(first);

    settle();
    X509Certificate before = issuer.authority();
    replaceAuthority();
    Map<String, String> both = CertificateObjects.files(issued.orElseThrow());
    both.merge("ca.crt", CertifiedKey.pem(before), String::concat);
    issued = Optional.of(issuer.stored(cluster, both));
    operate();
    assertThat(trusted(bundle())).contains(before, issuer.authority());
    assertThat(isOf(before)).isTrue();
    issued =
        Optional.of(
            issuer.stored(cluster, with(both, "ca.crt", CertifiedKey.pem(issuer.authority()))));
    passes(MountedFiles.GRACE);
    operate();
    assertThat(isOf(issuer.authority())).isTrue();
    assertThat(trusted(bundle())).as("while a node presents it").contains(before);
    settle();
    assertThat(trusted(bundle())).contains(issuer.authority()).doesNotContain(before);
  }

  @Test
  void aCertificateAboutToEndIsReplacedWhileItIsValid() {
    ask(ISSUER);
    issue();
    settle();
    now = presented().getNotAfter().toInstant().minus(Duration.ofDays(4));
    replaceAuthority();
    operate();
    now = now.plus(Duration.ofHours(49));
    operate();
    assertThat(isOf(issuer.authority())).isTrue();
  }

  private static Map<String, String> with(Map<String, String> files, String file, String text) {
    Map<String, String> other = new TreeMap<>(files);
    other.put(file, text);
    return other;
  }

  @Test
  void withoutAnotherOneInTimeACertificateOfTheOperatorIsUsed() {
    ask(ISSUER);
    issue();
    settle();
    assertThat(isOf(issuer.authority())).isTrue();
    now = presented().getNotAfter().toInstant().minus(Duration.ofHours(12));
    operate();
    PODS.forEach(this::reads);
    learn();
    check("before the issuer's expires");
    assertThat(isOf(issuer.authority())).isFalse();
  }

  @Test
  void aLostSecretOfTheOperatorsAuthorityTakesItsStepsBesideAnIssuer() {
    settle();
    ask(ISSUER);
    issue();
    settle();
    stored.remove(HTTP_CA);
    operate();
    dismiss();
    for (int turn = 0; turn < 20; turn++) {
      operate();
      PODS.forEach(this::reads);
      check("turn " + turn);
      passes(Duration.ofDays(1));
    }
    settle();
    check("in the end");
    assertThat(trusted(bundle())).hasSize(1);
  }

  @Test
  void aSecretOfSomethingElseIsLeftAlone() {
    settle();
    ask(ISSUER);
    issue();
    Secret there = issued.orElseThrow();
    there.getMetadata().getAnnotations().put("cert-manager.io/certificate-name", "shop");
    issued = Optional.of(there);
    operate();
    assertThat(stored).doesNotContainKey("Certificate/kvorum-http");
    assertThat(objects().pending().orElseThrow()).contains("delete or rename");
    issue();
    assertThat(objects().pending().orElseThrow())
        .as("of a Certificate of someone else")
        .contains("cert-manager has not stored");
  }

  @Test
  void firstPodsWaitForTheIssuer() {
    ask(ISSUER);
    writesWithoutPods();
    assertThat(stored).containsKey(FOR_CLIENTS).doesNotContainKey(MOUNTED);
    IssuedCertificate asked =
        (IssuedCertificate) Objects.requireNonNull(stored.get("Certificate/kvorum-http"));
    assertThat(asked.getSpec().issuerRef().name()).isEqualTo(ISSUER);
    assertThat(asked.getSpec().secretName()).isEqualTo("kvorum-http");
    assertThat(asked.getSpec().dnsNames()).contains("kvorum.shop.svc", "localhost");
    issue();
    writesWithoutPods();
    assertThat(isOf(issuer.authority())).isTrue();
    assertThat(objects().status().map(CertificatesStatus::pending)).isEmpty();
  }

  private void writesWithoutPods() {
    for (int turn = 0; turn < 10; turn++) {
      for (HasMetadata object : objects().of(PODS.size(), Map.of())) {
        stored.put(ClusterObjects.key(object), object);
      }
    }
  }

  @Test
  void whatNodesCannotUseIsNotTaken() {
    settle();
    ask(ISSUER);
    issue();
    Secret good = issued.orElseThrow();
    Map<String, String> files = CertificateObjects.files(good);
    CertifiedKey other = new Issuer(now).authority("another");
    Map<String, String> ofOther = new TreeMap<>(files);
    ofOther.put("ca.crt", CertifiedKey.pem(other.certificate()));
    Map<String, String> withoutKey = new TreeMap<>(files);
    withoutKey.remove("tls.key");
    for (Map<String, String> bad : List.of(ofOther, withoutKey)) {
      issued = Optional.of(issuer.stored(cluster, bad));
      assertThat(objects().pending().orElseThrow()).contains("cert-manager");
    }
    issued = Optional.of(good);
    ask("another");
    assertThat(objects().pending().orElseThrow()).as("of another issuer").contains("cert-manager");
  }
}
