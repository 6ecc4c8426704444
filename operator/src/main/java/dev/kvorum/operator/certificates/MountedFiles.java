package dev.kvorum.operator.certificates;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The files that pods are mounted, and which of them their nodes have read.
 *
 * @param files by name
 * @param reported for each pod, by port, the digest of the certificates that its node uses
 */
record MountedFiles(Map<String, String> files, Map<String, Map<String, String>> reported) {
  /** Time for which clients can learn of a CA before certificates of it are used. */
  static final Duration GRACE = Duration.ofDays(7);

  static final String PEER_AUTHORITIES = "peer-ca.crt";

  /** Name of the certificate for clients. */
  static final String HTTP = "http";

  private static final String PEER = "peer";

  static String certificate(String name) {
    return name + ".crt";
  }

  static String key(String name) {
    return name + ".key";
  }

  Optional<CertifiedKey> pair(String name) {
    return CertifiedKey.readAny(files, certificate(name), key(name));
  }

  /** The members as users of a CA. */
  Authorities.Users members(Authorities authorities) {
    return new Authorities.Users() {
      @Override
      public List<X509Certificate> trusted() {
        return Authorities.certificates(files.getOrDefault(PEER_AUTHORITIES, ""));
      }

      @Override
      public boolean knowNext(CertifiedKey next) {
        return trusted().contains(next.certificate()) && allHaveRead();
      }

      @Override
      public Duration grace() {
        return Duration.ZERO;
      }

      @Override
      public boolean haveLeftPrevious() {
        return reported.keySet().stream()
                .allMatch(pod -> pair(pod).filter(authorities::accept).isPresent())
            && allHaveRead();
      }

      private boolean allHaveRead() {
        return reported.entrySet().stream()
            .allMatch(pod ->
                digest(certificate(pod.getKey()), PEER_AUTHORITIES)
                    .equals(pod.getValue().get(PEER)));
      }
    };
  }

  /**
   * Clients as users of a CA. When they trust another one is known to them alone: they are given
   * time.
   *
   * @param trusted what they are told to trust
   * @param hasLeft whether a certificate is none of a previous CA
   */
  Authorities.Users clients(List<X509Certificate> trusted, Predicate<CertifiedKey> hasLeft) {
    return new Authorities.Users() {
      @Override
      public List<X509Certificate> trusted() {
        return trusted;
      }

      @Override
      public boolean knowNext(CertifiedKey next) {
        return trusted.contains(next.certificate());
      }

      @Override
      public Duration grace() {
        return GRACE;
      }

      @Override
      public boolean haveLeftPrevious() {
        return pair(HTTP).filter(hasLeft).isPresent() && haveAllRead(HTTP);
      }
    };
  }

  /** Whether all nodes use the certificate for the port of its name. */
  boolean haveAllRead(String port) {
    String digest = digest(certificate(port));
    return reported.values().stream().allMatch(pod -> digest.equals(pod.get(port)));
  }

  /** The hash that a node reports of the certificates that it uses. */
  String digest(String... names) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name : names) {
        digest.update(files.getOrDefault(name, "").getBytes(StandardCharsets.ISO_8859_1));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
