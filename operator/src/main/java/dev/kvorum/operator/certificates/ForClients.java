package dev.kvorum.operator.certificates;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What clients connect to: a certificate of the operator's CA or of an issuer of cert-manager, and
 * the CAs that they are told to trust. The operator's own CA is always one of these, so that a
 * cluster can do without its issuer at any time.
 */
final class ForClients {
  private final Authorities own;
  private final Published published;
  private final RequestedCertificate requested;
  private final Optional<IssuerCertificate> issued;
  private final Optional<IssuerCertificate> current;
  private final Instant now;

  /**
   * Creates it.
   *
   * @param own the operator's CA
   * @param published what clients have been told to trust last
   * @param files those that pods are mounted
   */
  ForClients(
      Authorities own,
      Published published,
      RequestedCertificate requested,
      Map<String, String> files,
      Instant now) {
    this.own = own;
    this.published = published;
    this.requested = requested;
    this.issued = requested.issued(now);
    this.current =
        requested.isRequested() ? IssuerCertificate.mounted(files, now) : Optional.empty();
    this.now = now;
  }

  /** Clients as users of the operator's CA. */
  Authorities.Users users(MountedFiles mounted) {
    if (!requested.isRequested()) {
      return mounted.clients(published.authorities(), own::accept);
    }
    // All others are those of issuers, unless the operator's are lost.
    List<X509Certificate> known =
        published.authorities().stream()
            .filter(it -> own.isEmpty() || own.all().contains(it))
            .toList();
    return mounted.clients(known, pair -> own.accept(pair) || isIssued(pair));
  }

  private boolean isIssued(CertifiedKey pair) {
    return issued.filter(it -> it.pair().certificate().equals(pair.certificate())).isPresent();
  }

  /** The CAs that clients are told to trust next. */
  Published published(MountedFiles mounted) {
    Set<X509Certificate> trusted = new LinkedHashSet<>(own.all());
    issued.ifPresent(it -> trusted.addAll(it.authorities()));
    if (requested.isRequested() && !isUsed(mounted)) {
      published.authorities().stream()
          .filter(it -> now.isBefore(it.getNotAfter().toInstant()))
          .forEach(trusted::add);
    }
    return published.next(List.copyOf(trusted), now);
  }

  /** Whether all nodes present what the issuer has issued last. */
  private boolean isUsed(MountedFiles mounted) {
    return issued.isPresent()
        && current.filter(issued.get()::isSame).isPresent()
        && mounted.haveAllRead(MountedFiles.HTTP);
  }

  /** The certificate of an issuer that nodes present next; empty: one of the operator's CA. */
  Optional<IssuerCertificate> certificate(MountedFiles mounted) {
    return issued
        .filter(it -> isFirst(mounted) || !now.isBefore(due(it)))
        .or(() -> current.filter(it -> !own.hasIssued(it.pair())));
  }

  /**
   * When a certificate is used: once clients had time to learn of its CA, and rather while the
   * current one is valid. That of a CA that they have known for long is used at once.
   */
  private Instant due(IssuerCertificate next) {
    if (current.filter(next::isSame).isPresent()) {
      return now;
    }
    boolean isPublished = published.authorities().containsAll(next.authorities());
    Instant since = isPublished ? published.since() : now;
    Duration grace =
        current
            .map(it -> Duration.between(since, it.pair().expiry()).dividedBy(2))
            .filter(half -> half.compareTo(MountedFiles.GRACE) < 0)
            .orElse(MountedFiles.GRACE);
    return since.plus(grace);
  }

  /** Whether there are no pods yet, nor clients. */
  private static boolean isFirst(MountedFiles mounted) {
    return mounted.files().isEmpty() && mounted.reported().isEmpty();
  }

  /** Whether the Secret of the Certificate is there for something else: then none is asked. */
  boolean isTaken() {
    return requested.isTaken();
  }

  /** Whether the first pods have to wait for the issuer. */
  boolean areAwaited(MountedFiles mounted) {
    return requested.isRequested() && issued.isEmpty() && isFirst(mounted);
  }

  /**
   * Why nodes are not to present what the issuer should have issued, or has issued last; empty if
   * they are.
   */
  Optional<String> pending(MountedFiles mounted) {
    if (!requested.isRequested()) {
      return Optional.empty();
    }
    if (requested.isTaken()) {
      return Optional.of("the Secret for it is there, but not cert-manager's: delete or rename it");
    }
    if (issued.isEmpty()) {
      return Optional.of(
          requested
              .problem()
              .orElse(
                  "cert-manager has not stored a certificate of the issuer that nodes can use"));
    }
    return Optional.of(due(issued.get()))
        .filter(due -> now.isBefore(due) && !mounted.files().isEmpty())
        .map(due -> "clients can learn of its CA until " + due);
  }
}
