package dev.kvorum.operator.certificates;

import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.resources.PeerTls;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.x509.GeneralName;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a user's Secret, checked as nodes do, so that a pod is not restarted with
 * some that its node or its peers reject.
 */
public final class GivenCertificates {
  private static final int OBJECTIONS_MAX = 3;
  private static final String CLIENT_AUTHORITIES = "clients-ca.crt";

  private final String secret;
  private final boolean exists;
  private final Map<String, String> files;
  private final Instant now;

  private GivenCertificates(String secret, boolean exists, Map<String, String> files, Instant now) {
    this.secret = secret;
    this.exists = exists;
    this.files = files;
    this.now = now;
  }

  /**
   * Reads them.
   *
   * @param secret the Secret of that name; null if it does not exist
   */
  public static GivenCertificates of(String name, @Nullable Secret secret, Instant now) {
    Map<String, String> files = secret == null ? Map.of() : CertificateObjects.files(secret);
    return new GivenCertificates("Secret/" + name, secret != null, files, now);
  }

  /** What nodes present to clients: their own certificate, and those above it that are there. */
  public Set<X509Certificate> ofNodes() {
    return Set.copyOf(
        Authorities.certificates(
            files.getOrDefault(MountedFiles.certificate(MountedFiles.HTTP), "")));
  }

  /** Returns their state; empty if there are none. */
  public Optional<CertificatesStatus> status() {
    return CertificateObjects.expiry(files)
        .map(expiry -> new CertificatesStatus(expiry.toString(), List.of(), null));
  }

  /** Returns what is wrong with them; empty if nothing is. */
  public Optional<Notice> objection(KvorumCluster cluster) {
    String id = cluster.getStatus() == null ? null : cluster.getStatus().clusterId();
    if (!exists) {
      String names =
          id == null ? "" : "; members are " + Subject.uri(id, "NAME") + " in certificates";
      return Optional.of(notice(secret + " does not exist" + names));
    }
    List<String> objections = new Check(cluster, id).objections();
    if (objections.isEmpty()) {
      return Optional.empty();
    }
    String first = objections.stream().limit(OBJECTIONS_MAX).collect(Collectors.joining("; "));
    int more = objections.size() - OBJECTIONS_MAX;
    return Optional.of(notice(secret + ": " + first + (more > 0 ? "; and " + more + " more" : "")));
  }

  private static Notice notice(String message) {
    return new Notice(Reason.INVALID_CERTIFICATES, message);
  }

  /** One pass over the files that a cluster uses. */
  private final class Check {
    private final KvorumCluster cluster;
    private final @Nullable String clusterId;
    private final List<String> objections = new ArrayList<>();

    Check(KvorumCluster cluster, @Nullable String clusterId) {
      this.cluster = cluster;
      this.clusterId = clusterId;
    }

    private List<String> objections() {
      KvorumClusterSpec spec = cluster.getSpec();
      if (PeerTls.isUsed(spec, PeerTls.SETTING)) {
        Optional<X509TrustManager> trust = trust(authorities(MountedFiles.PEER_AUTHORITIES));
        for (int ordinal = 0; ordinal < spec.replicas(); ordinal++) {
          String member = cluster.getMetadata().getName() + "-" + ordinal;
          pair(member).ifPresent(pair -> checkMember(member, pair, trust));
        }
      }
      if (PeerTls.isUsed(spec, "kvorum.tls.http")
          || PeerTls.isUsed(spec, "kvorum.tls.management")) {
        var _ = pair(MountedFiles.HTTP);
        if (!spec.settings()
            .getOrDefault("kvorum.tls.client-auth", "none")
            .equalsIgnoreCase("none")) {
          var _ = authorities(CLIENT_AUTHORITIES);
        }
      }
      return objections;
    }

    private List<X509Certificate> authorities(String file) {
      List<X509Certificate> all = Authorities.certificates(files.getOrDefault(file, ""));
      if (all.isEmpty()) {
        objections.add(file + (files.containsKey(file) ? " has no certificate" : " is missing"));
      }
      return all;
    }

    /** A certificate and its key, if they can be used now. */
    private Optional<CertifiedKey> pair(String name) {
      String certificate = MountedFiles.certificate(name);
      String key = MountedFiles.key(name);
      for (String file : List.of(certificate, key)) {
        if (!files.containsKey(file)) {
          objections.add(file + " is missing");
          return Optional.empty();
        }
      }
      Optional<CertifiedKey> pair = CertifiedKey.readAny(files, certificate, key);
      if (pair.isEmpty()) {
        objections.add(
            key + " is not the key of " + certificate + ", as PEM in PKCS#8 without a password");
        return Optional.empty();
      }
      Instant begin = pair.get().certificate().getNotBefore().toInstant();
      if (now.isBefore(begin)) {
        objections.add(certificate + " is not valid before " + begin);
      } else if (!now.isBefore(pair.get().expiry())) {
        objections.add(certificate + " expired at " + pair.get().expiry());
      } else {
        return pair;
      }
      return Optional.empty();
    }

    private void checkMember(String member, CertifiedKey pair, Optional<X509TrustManager> trust) {
      String file = MountedFiles.certificate(member);
      if (clusterId != null) {
        String uri = Subject.uri(clusterId, member);
        if (!pair.names().contains(new GeneralName(GeneralName.uniformResourceIdentifier, uri))) {
          objections.add(file + " is not for " + uri);
        }
      }
      if (trust.isPresent()) {
        X509Certificate[] chain =
            Authorities.certificates(files.getOrDefault(file, "")).toArray(X509Certificate[]::new);
        try {
          // As by both ends of a connection.
          trust.get().checkClientTrusted(chain, TrustManagers.ANY_KEY);
          trust.get().checkServerTrusted(chain, TrustManagers.ANY_KEY);
        } catch (CertificateException rejected) {
          objections.add(
              file
                  + " is rejected by "
                  + MountedFiles.PEER_AUTHORITIES
                  + ": "
                  + rejected.getMessage());
        }
      }
    }

    private Optional<X509TrustManager> trust(List<X509Certificate> authorities) {
      return authorities.isEmpty()
          ? Optional.empty()
          : Optional.of(TrustManagers.of(authorities, Optional.of(now)));
    }
  }
}
