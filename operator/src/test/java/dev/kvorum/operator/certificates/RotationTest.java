package dev.kvorum.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.ClusterObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CAs are replaced, and their Secrets deleted and damaged, while nodes read new files at different
 * times and the operator stops after any write: at each moment each node accepts all others, and
 * clients the nodes. In the end there is one CA of each kind.
 */
class RotationTest {
  private static final int TURNS = 100;
  private static final List<String> PODS = List.of("kvorum-0", "kvorum-1", "kvorum-2");
  private static final String PEER_CA = "Secret/kvorum-peer-ca";
  private static final String HTTP_CA = "Secret/kvorum-http-ca";
  private static final String MOUNTED = "Secret/kvorum-tls";
  private static final String FOR_CLIENTS = "ConfigMap/kvorum-ca";

  private final Map<String, HasMetadata> stored = new LinkedHashMap<>();

  /** The files that each node has read last. */
  private final Map<String, Map<String, String>> read = new HashMap<>();

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");

  /** What clients have learned last, at most a week ago. */
  private String trustedByClients = "";

  private Instant learned = now;

  private static KvorumCluster cluster() {
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("kvorum").withNamespace("shop").withUid("uid-1").build());
    cluster.setSpec(Specs.withProfile(3, "standard"));
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nobodyIsLockedOutByAReplacement(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    settle();
    Set<X509Certificate> authorities = new HashSet<>();
    for (int turn = 0; turn < TURNS; turn++) {
      int dice = turn == TURNS / 4 ? 0 : random.nextInt(30);
      if (dice == 0) {
        stored.remove(PEER_CA);
      } else if (dice == 1) {
        damage(random.nextBoolean() ? PEER_CA : HTTP_CA);
      } else if (dice < 6) {
        passes(Duration.ofDays(1 + random.nextInt(2)));
      } else if (dice < 18) {
        reads(PODS.get(random.nextInt(PODS.size())));
        check("seed " + seed + ", turn " + turn);
      } else {
        writes();
      }
      authorities.addAll(trusted(text(MOUNTED, "peer-ca.crt")));
    }
    assertThat(authorities).as("CAs with seed %d", seed).hasSizeGreaterThan(1);
    settle();
    check("seed " + seed + ", in the end");
    assertThat(trusted(text(MOUNTED, "peer-ca.crt"))).as("seed %d", seed).hasSize(1);
    assertThat(trusted(bundle())).as("seed %d", seed).hasSize(1);
    assertThat(files(PEER_CA)).as("seed %d", seed).containsOnlyKeys("ca.crt", "ca.key");
    assertThat(files(HTTP_CA)).as("seed %d", seed).containsOnlyKeys("ca.crt", "ca.key");
  }

  @Test
  void anAgeingAuthorityIsReplacedBeforeItExpires() {
    settle();
    X509Certificate first = trusted(text(MOUNTED, "peer-ca.crt")).getFirst();
    Instant end = now.plus(Issuer.AUTHORITY_LIFETIME);
    while (now.isBefore(end.minus(Authorities.REPLACED_BEFORE).minus(Duration.ofDays(50)))) {
      passes(Duration.ofDays(50));
      writes();
      PODS.forEach(this::reads);
      assertThat(trusted(text(MOUNTED, "peer-ca.crt"))).containsExactly(first);
    }
    passes(Duration.ofDays(55));
    settle();
    assertThat(trusted(text(MOUNTED, "peer-ca.crt"))).hasSize(1).doesNotContain(first);
    check("with the second CA");
  }

  @Test
  void nothingIsIssuedByAnAuthorityThatNotAllTrustYet() {
    settle();
    Instant end = trusted(text(MOUNTED, "kvorum-0.crt")).getFirst().getNotAfter().toInstant();
    Instant renewed = end.minus(CertificateObjects.RENEWED_BEFORE);
    passes(Duration.between(now, renewed.minus(Duration.ofDays(1))));
    stored.remove(PEER_CA);
    writes();
    passes(Duration.ofDays(2));
    writes();
    for (String pod : PODS) {
      reads(pod);
      check("when " + pod + " has read the new files");
    }
  }

  @Test
  void certificatesOfAnAuthorityAboutToExpireAreNotIssuedAgainAndAgain() {
    settle();
    passes(Issuer.AUTHORITY_LIFETIME.minus(Duration.ofDays(50)));
    for (int written = 0; written < 6; written++) {
      writes();
    }
    Map<String, String> first = files(MOUNTED);
    passes(Duration.ofDays(1));
    writes();
    assertThat(files(MOUNTED)).isEqualTo(first);
  }

  @Test
  void certificatesThatAreNotValidYetAreReplaced() {
    settle();
    Instant right = now;
    now = now.plus(Duration.ofDays(400));
    writes();
    now = right;
    writes();
    settle();
    for (String pod : PODS) {
      X509Certificate own = trusted(text(MOUNTED, pod + ".crt")).getFirst();
      assertThat(own.getNotBefore().toInstant()).isBefore(now);
    }
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    settle();
    Map<String, HasMetadata> before = new HashMap<>(stored);
    passes(Duration.ofDays(30));
    wanted()
        .forEach(object -> assertThat(stored.get(ClusterObjects.key(object))).isEqualTo(object));
    assertThat(stored).isEqualTo(before);
  }

  /** Until there is nothing to write or read any more. */
  private void settle() {
    for (int turn = 0; turn < 20; turn++) {
      writes();
      PODS.forEach(this::reads);
      passes(Duration.ofDays(1));
    }
  }

  private void passes(Duration time) {
    now = now.plus(time);
    if (!now.isBefore(learned.plus(MountedFiles.GRACE))) {
      learn();
    }
  }

  private void learn() {
    trustedByClients = bundle();
    learned = now;
  }

  private void reads(String pod) {
    read.put(pod, files(MOUNTED));
  }

  private List<HasMetadata> wanted() {
    Map<String, Map<String, String>> reported = new HashMap<>();
    for (String pod : PODS) {
      MountedFiles files = new MountedFiles(read.getOrDefault(pod, Map.of()), Map.of());
      reported.put(
          pod,
          Map.of(
              "peer", files.digest(pod + ".crt", "peer-ca.crt"), "http", files.digest("http.crt")));
    }
    return new CertificateObjects(cluster(), "id", now, stored).of(PODS.size(), reported);
  }

  /** The operator writes the first object that is not as it should be. */
  private void writes() {
    for (HasMetadata object : wanted()) {
      String key = ClusterObjects.key(object);
      if (!object.equals(stored.get(key))) {
        stored.put(key, object);
        return;
      }
    }
  }

  private void damage(String secret) {
    if (stored.get(secret) instanceof Secret there) {
      Map<String, String> data = new TreeMap<>(there.getData());
      data.replaceAll((file, content) -> "AAAA");
      stored.put(secret, new SecretBuilder(there).withData(data).build());
    }
  }

  private void check(String when) {
    for (String one : PODS) {
      for (String other : PODS) {
        assertThat(accepts(files(one, "peer-ca.crt"), files(other, other + ".crt")))
            .as("%s: %s accepts %s", when, one, other)
            .isTrue();
      }
      assertThat(accepts(trustedByClients, files(one, "http.crt")))
          .as("%s: clients accept %s", when, one)
          .isTrue();
    }
  }

  private String files(String pod, String file) {
    return read.getOrDefault(pod, Map.of()).getOrDefault(file, "");
  }

  private boolean accepts(String authorities, String certificate) {
    X509Certificate presented = Authorities.certificates(certificate).getFirst();
    return trusted(authorities).stream()
            .anyMatch(authority ->
                CertifiedKey.isIssuedBy(presented, authority)
                    && now.isBefore(authority.getNotAfter().toInstant()))
        && now.isBefore(presented.getNotAfter().toInstant());
  }

  private static List<X509Certificate> trusted(String file) {
    return Authorities.certificates(file);
  }

  private String bundle() {
    return stored.get(FOR_CLIENTS) instanceof ConfigMap map
        ? map.getData().getOrDefault("ca.crt", "")
        : "";
  }

  private String text(String secret, String file) {
    return files(secret).getOrDefault(file, "");
  }

  private Map<String, String> files(String secret) {
    return CertificateObjects.files(stored, secret.substring("Secret/".length()));
  }
}
