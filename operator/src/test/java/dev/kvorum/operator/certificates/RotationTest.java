package dev.kvorum.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
class RotationTest extends Rotation {
  private static final int TURNS = 100;

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
        damage(random.nextBoolean() ? PEER_CA : HTTP_CA, file -> true);
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

  /** At any step of a replacement, a part of the Secrets of CAs can be lost. */
  @Test
  void nobodyIsLockedOutByPartlyDamagedSecrets() {
    settle();
    passes(Issuer.AUTHORITY_LIFETIME.minus(Authorities.REPLACED_BEFORE.plusDays(50)));
    settle();
    List<X509Certificate> first = trusted(text(MOUNTED, "peer-ca.crt"));
    passes(Duration.ofDays(31));
    for (int step = 0; step < 12; step++) {
      Map<String, HasMetadata> storedThen = new LinkedHashMap<>(stored);
      Map<String, Map<String, String>> readThen = new HashMap<>(read);
      Instant then = now;
      Instant learnedThen = learned;
      String trustedThen = trustedByClients;
      for (String file : List.of("ca.key", "next.key", "previous.crt")) {
        damage(PEER_CA, file::equals);
        damage(HTTP_CA, file::equals);
        for (int later = 0; later < 6; later++) {
          step(step + later);
          check(file + " damaged in step " + step + ", " + later + " steps later");
        }
        stored.clear();
        stored.putAll(storedThen);
        read.putAll(readThen);
        now = then;
        learned = learnedThen;
        trustedByClients = trustedThen;
      }
      step(step);
    }
    settle();
    assertThat(trusted(text(MOUNTED, "peer-ca.crt"))).hasSize(1).doesNotContainSequence(first);
  }

  /** The operator writes, one node after the other reads, clients have time at last. */
  private void step(int step) {
    writes();
    reads(PODS.get(step % PODS.size()));
    if (step % 4 == 3) {
      passes(MountedFiles.GRACE);
    }
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
    assertThat(hadToWrite()).isFalse();
    assertThat(stored).isEqualTo(before);
  }
}
