package dev.kvorum.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.ClusterObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A cluster whose certificates are issued and replaced, as a test advances it: the operator writes
 * one object at a time, nodes read them late, and clients what they trust once a week.
 */
abstract class Rotation {
  static final List<String> PODS = List.of("kvorum-0", "kvorum-1", "kvorum-2");
  static final String PEER_CA = "Secret/kvorum-peer-ca";
  static final String HTTP_CA = "Secret/kvorum-http-ca";
  static final String MOUNTED = "Secret/kvorum-tls";
  static final String FOR_CLIENTS = "ConfigMap/kvorum-ca";

  final Map<String, HasMetadata> stored = new LinkedHashMap<>();
  KvorumCluster cluster = Specs.cluster(Specs.withProfile(3, "standard"));

  /** What cert-manager has stored. */
  Optional<Secret> issued = Optional.empty();

  /** The files that each node has read last. */
  final Map<String, Map<String, String>> read = new HashMap<>();

  Instant now = Instant.parse("2026-06-01T00:00:00Z");

  /** What clients have learned last, at most a week ago. */
  String trustedByClients = "";

  Instant learned = now;

  /** Until there is nothing to write or read any more. */
  void settle() {
    for (int turn = 0; turn < 20; turn++) {
      writes();
      PODS.forEach(this::reads);
      passes(Duration.ofDays(1));
    }
  }

  void passes(Duration time) {
    now = now.plus(time);
    if (!now.isBefore(learned.plus(MountedFiles.GRACE))) {
      learn();
    }
  }

  void learn() {
    trustedByClients = bundle();
    learned = now;
  }

  void reads(String pod) {
    read.put(pod, files(MOUNTED));
  }

  List<HasMetadata> wanted() {
    Map<String, Map<String, String>> reported = new HashMap<>();
    for (String pod : PODS) {
      MountedFiles files = new MountedFiles(read.getOrDefault(pod, Map.of()), Map.of());
      reported.put(
          pod,
          Map.of(
              "peer", files.digest(pod + ".crt", "peer-ca.crt"), "http", files.digest("http.crt")));
    }
    return new CertificateObjects(cluster, "id", now, stored, issued).of(PODS.size(), reported);
  }

  /** The operator writes the first object that is not as it should be, if there is one. */
  void writes() {
    var _ = hadToWrite();
  }

  boolean hadToWrite() {
    for (HasMetadata object : wanted()) {
      String key = ClusterObjects.key(object);
      if (ClusterObjects.isUnwanted(object, cluster.getSpec())) {
        if (stored.remove(key) != null) {
          return true;
        }
      } else if (!object.equals(stored.get(key))) {
        stored.put(key, object);
        return true;
      }
    }
    return false;
  }

  void damage(String secret, Predicate<String> damaged) {
    if (stored.get(secret) instanceof Secret there) {
      Map<String, String> data = new TreeMap<>(there.getData());
      data.replaceAll((file, content) -> damaged.test(file) ? "AAAA" : content);
      stored.put(secret, new SecretBuilder(there).withData(data).build());
    }
  }

  void check(String when) {
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

  String files(String pod, String file) {
    return read.getOrDefault(pod, Map.of()).getOrDefault(file, "");
  }

  boolean accepts(String authorities, String certificate) {
    X509Certificate presented = Authorities.certificates(certificate).getFirst();
    return trusted(authorities).stream()
            .anyMatch(authority ->
                CertifiedKey.isIssuedBy(presented, authority)
                    && now.isBefore(authority.getNotAfter().toInstant()))
        && now.isBefore(presented.getNotAfter().toInstant());
  }

  static List<X509Certificate> trusted(String file) {
    return Authorities.certificates(file);
  }

  String bundle() {
    return stored.get(FOR_CLIENTS) instanceof ConfigMap map
        ? map.getData().getOrDefault("ca.crt", "")
        : "";
  }

  String text(String secret, String file) {
    return files(secret).getOrDefault(file, "");
  }

  Map<String, String> files(String secret) {
    return CertificateObjects.files(stored, secret.substring("Secret/".length()));
  }
}
