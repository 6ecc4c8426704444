package dev.kvorum.operator.certificates;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.SecuritySpec;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.IssuedCertificate;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.Secrets;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds the objects with a cluster's certificates: Secrets {@code C-peer-ca} and {@code C-http-ca}
 * with the keys of the CAs, the Secret {@code C-tls} that pods are mounted, and the ConfigMap
 * {@code C-ca} for clients. What is in them stays as long as it is valid, so that the result
 * differs from what exists only when a certificate is missing, wrong or to be replaced.
 */
public final class CertificateObjects {
  /** A certificate is renewed when it has less than this: before the alert of nodes, 30 days. */
  static final Duration RENEWED_BEFORE = Duration.ofDays(36);

  private final KvorumCluster cluster;
  private final String name;
  private final String clusterId;
  private final Instant now;
  private final Issuer issuer;
  private final Map<String, HasMetadata> found;
  private final Authorities peers;
  private final Authorities http;
  private final ForClients clients;

  /**
   * Reads what exists.
   *
   * @param found the cluster's own objects, by key
   * @param issued the Secret in which cert-manager stores what an issuer issues
   */
  public CertificateObjects(
      KvorumCluster cluster,
      String clusterId,
      Instant now,
      Map<String, HasMetadata> found,
      Optional<Secret> issued) {
    this.cluster = cluster;
    this.name = cluster.getMetadata().getName();
    this.clusterId = clusterId;
    this.now = now;
    this.issuer = new Issuer(now);
    this.found = Map.copyOf(found);
    this.peers = Authorities.read(files(found, peerAuthorities(name)));
    this.http = Authorities.read(files(found, httpAuthorities(name)));
    this.clients =
        new ForClients(
            http,
            published(found, name),
            new RequestedCertificate(cluster.getSpec().security().issuer(), asked(), issued),
            files(found, PeerTls.issuedSecret(name)),
            now);
  }

  private static String peerAuthorities(String cluster) {
    return cluster + "-peer-ca";
  }

  private static String httpAuthorities(String cluster) {
    return cluster + "-http-ca";
  }

  private static String forClients(String cluster) {
    return cluster + "-ca";
  }

  /** The CAs that clients are told to trust. */
  public static Set<X509Certificate> trustedByClients(
      Map<String, HasMetadata> found, String cluster) {
    return Set.copyOf(published(found, cluster).authorities());
  }

  private static Published published(Map<String, HasMetadata> found, String cluster) {
    return found.get("ConfigMap/" + forClients(cluster)) instanceof ConfigMap map
        ? Published.read(map)
        : Published.NONE;
  }

  /** Returns the objects without contents, to find those that exist. */
  public static List<HasMetadata> names(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    return List.of(
        secret(cluster, peerAuthorities(name), Map.of()),
        secret(cluster, httpAuthorities(name), Map.of()),
        secret(cluster, PeerTls.issuedSecret(name), Map.of()),
        forClients(cluster, Published.NONE),
        IssuedCertificate.named(cluster));
  }

  /**
   * Returns the objects in their desired state. Certificates are made from the CAs as they are
   * stored: another operator, after this one has failed, has to know them.
   *
   * @param podsMax how many pods there may be
   * @param reported by pod, what its node reports of the certificates that it uses
   */
  public List<HasMetadata> of(int podsMax, Map<String, Map<String, String>> reported) {
    MountedFiles mounted = mounted(reported);
    List<HasMetadata> objects = new ArrayList<>();
    objects.add(next(peerAuthorities(name), peers, mounted.members(peers)));
    objects.add(next(httpAuthorities(name), http, clients.users(mounted)));
    if (!peers.isEmpty() && !http.isEmpty()) {
      // What clients need first: certificates may have to be issued often.
      objects.add(forClients(cluster, clients.published(mounted)));
      if (!clients.areAwaited(mounted)) {
        objects.add(secret(cluster, PeerTls.issuedSecret(name), certificates(podsMax, mounted)));
      }
    }
    // Last: a problem with the issuer must not delay the other objects.
    if (!clients.isTaken()) {
      objects.add(certificate());
    }
    return List.copyOf(objects);
  }

  private MountedFiles mounted(Map<String, Map<String, String>> reported) {
    return new MountedFiles(files(found, PeerTls.issuedSecret(name)), reported);
  }

  /** What the issuer is asked for; without contents if there is none. */
  private IssuedCertificate certificate() {
    SecuritySpec security = cluster.getSpec().security();
    return security
        .issuer()
        .map(issuer -> {
          List<String> said = security.dnsNames();
          return said.isEmpty()
              ? IssuedCertificate.of(cluster, issuer, Subject.dnsNames(cluster), Subject.ADDRESSES)
              : IssuedCertificate.of(cluster, issuer, said, List.of());
        })
        .orElseGet(() -> IssuedCertificate.named(cluster));
  }

  /** Why an issuer's last certificate is not used; empty if it is, or none is asked. */
  public Optional<String> pending() {
    return clients.pending(mounted(Map.of()));
  }

  /** The cluster's own Certificate, if it exists. */
  private Optional<IssuedCertificate> asked() {
    return Optional.ofNullable(found.get("Certificate/" + IssuedCertificate.name(name)))
        .filter(IssuedCertificate.class::isInstance)
        .map(IssuedCertificate.class::cast);
  }

  /** Returns the state of the certificates; empty before pods can be mounted them. */
  public Optional<CertificatesStatus> status() {
    if (!found.containsKey("Secret/" + PeerTls.issuedSecret(name))) {
      return Optional.empty();
    }
    List<String> replacing = new ArrayList<>();
    if (peers.isBeingReplaced()) {
      replacing.add(peerAuthorities(name));
    }
    if (http.isBeingReplaced()) {
      replacing.add(httpAuthorities(name));
    }
    return Stream.of(peerAuthorities(name), httpAuthorities(name), PeerTls.issuedSecret(name))
        .flatMap(secret -> expiry(files(found, secret)).stream())
        .min(Comparator.naturalOrder())
        .map(
            expiry -> new CertificatesStatus(expiry.toString(), replacing, pending().orElse(null)));
  }

  /** When the first certificate of some files expires; empty if there is none. */
  static Optional<Instant> expiry(Map<String, String> files) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().endsWith(".crt"))
        .flatMap(file -> Authorities.certificates(file.getValue()).stream())
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Comparator.naturalOrder());
  }

  private Secret next(String secret, Authorities there, Authorities.Users users) {
    return secret(cluster, secret, there.step(issuer, secret, now, users).files());
  }

  private Map<String, String> certificates(int podsMax, MountedFiles mounted) {
    Map<String, String> files = new TreeMap<>();
    files.put(MountedFiles.PEER_AUTHORITIES, Authorities.bundle(peers.all()));
    for (int ordinal = 0; ordinal < podsMax; ordinal++) {
      String member = name + "-" + ordinal;
      put(files, member, mounted, peers, Subject.ofMember(clusterId, member));
    }
    clients
        .certificate(mounted)
        .ifPresentOrElse(
            issued -> issued.write(files),
            () -> put(files, MountedFiles.HTTP, mounted, http, Subject.ofService(cluster)));
    return files;
  }

  /** Adds the certificate that is mounted, or a new one if that is not valid for long. */
  private void put(
      Map<String, String> files,
      String file,
      MountedFiles mounted,
      Authorities authorities,
      Subject subject) {
    // Not everyone may trust another CA yet.
    Duration renewedBefore = authorities.issuing().isPresent() ? RENEWED_BEFORE : Duration.ZERO;
    mounted
        .pair(file)
        .filter(authorities::accept)
        .filter(pair -> pair.names().equals(subject.names()))
        .filter(pair -> !pair.certificate().getNotBefore().toInstant().isAfter(now))
        .filter(
            pair -> pair.expiry().isAfter(now.plus(renewedBefore)) || isAsLongAs(pair, authorities))
        .orElseGet(
            () -> issuer.issue(authorities.issuer(), file, subject.names(), subject.purposes()))
        .write(files, MountedFiles.certificate(file), MountedFiles.key(file));
  }

  /** Whether a new certificate would not be valid for longer, because its CA is not. */
  private static boolean isAsLongAs(CertifiedKey pair, Authorities authorities) {
    return authorities
        .issuing()
        .filter(authority -> !pair.expiry().isBefore(authority.expiry()))
        .isPresent();
  }

  private static Secret secret(KvorumCluster cluster, String name, Map<String, String> files) {
    Map<String, String> data = new TreeMap<>();
    files.forEach((file, text) ->
        data.put(
            file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
    return Secrets.of(cluster, name, data);
  }

  private static ConfigMap forClients(KvorumCluster cluster, Published published) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withMetadata(Labels.metadata(cluster, forClients(cluster.getMetadata().getName())))
            .build();
    ConfigMap hashed = ClusterObjects.hashed(map);
    hashed.setData(published.files());
    published.mark(hashed);
    return hashed;
  }

  /** Returns the files of a Secret; none if it does not exist. */
  static Map<String, String> files(Map<String, HasMetadata> found, String secret) {
    return found.get("Secret/" + secret) instanceof Secret there ? files(there) : Map.of();
  }

  static Map<String, String> files(Secret secret) {
    Map<String, String> files = new TreeMap<>();
    requireNonNullElse(secret.getData(), Map.<String, String>of())
        .forEach((file, text) ->
            files.put(
                file, new String(Base64.getDecoder().decode(text), StandardCharsets.ISO_8859_1)));
    return files;
  }
}
