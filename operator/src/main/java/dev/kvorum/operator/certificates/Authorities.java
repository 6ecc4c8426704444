package dev.kvorum.operator.certificates;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The CAs of members, or those of what clients connect to. A CA is replaced in three steps, each of
 * which begins when the one before is complete: everyone trusts the next one beside it; the next
 * one issues all certificates; the last one is no longer trusted.
 *
 * @param issuing the CA that issues certificates; empty if its key is lost
 * @param next the one that will issue them
 * @param announced since when everyone has been told to trust the next one
 * @param previous certificates of those that have issued some that may be in use
 */
record Authorities(
    Optional<CertifiedKey> issuing,
    Optional<CertifiedKey> next,
    Optional<Instant> announced,
    List<X509Certificate> previous) {
  static final String CERTIFICATE = "ca.crt";

  /** A CA is replaced when it has less than this. */
  static final Duration REPLACED_BEFORE = Duration.ofDays(365);

  private static final String KEY = "ca.key";
  private static final String NEXT_CERTIFICATE = "next.crt";
  private static final String NEXT_KEY = "next.key";
  private static final String ANNOUNCED = "next.announced";
  private static final String PREVIOUS = "previous.crt";

  Authorities {
    previous = List.copyOf(previous);
  }

  private Authorities(Optional<CertifiedKey> issuing, List<X509Certificate> previous) {
    this(issuing, Optional.empty(), Optional.empty(), previous);
  }

  /** Reads the files of a Secret; those that are missing or damaged are no CAs. */
  static Authorities read(Map<String, String> files) {
    return new Authorities(
        CertifiedKey.read(files, CERTIFICATE, KEY),
        CertifiedKey.read(files, NEXT_CERTIFICATE, NEXT_KEY),
        time(files.getOrDefault(ANNOUNCED, "")),
        certificates(files.getOrDefault(PREVIOUS, "")));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException missing) {
      return Optional.empty();
    }
  }

  /** The files from which these can be read. */
  Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    issuing.ifPresent(pair -> pair.write(files, CERTIFICATE, KEY));
    next.ifPresent(pair -> pair.write(files, NEXT_CERTIFICATE, NEXT_KEY));
    announced.ifPresent(since -> files.put(ANNOUNCED, since.toString()));
    if (!previous.isEmpty()) {
      files.put(PREVIOUS, bundle(previous));
    }
    return files;
  }

  /** Reads a file of certificates; none if it is damaged. */
  static List<X509Certificate> certificates(String pem) {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))
          .stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException damaged) {
      return List.of();
    }
  }

  static String bundle(List<X509Certificate> certificates) {
    return certificates.stream().map(CertifiedKey::pem).collect(Collectors.joining());
  }

  /** Whether there is one yet. */
  boolean isEmpty() {
    return issuing.isEmpty() && next.isEmpty();
  }

  /** Whether one takes the place of another. */
  boolean isBeingReplaced() {
    return next.isPresent() || !previous.isEmpty();
  }

  /** The CAs to trust. */
  List<X509Certificate> all() {
    return Stream.concat(
            Stream.of(issuing, next).flatMap(Optional::stream).map(CertifiedKey::certificate),
            previous.stream())
        .distinct()
        .toList();
  }

  /** Whether a certificate is one of theirs. */
  boolean hasIssued(CertifiedKey pair) {
    return all().stream().anyMatch(pair::isIssuedBy);
  }

  /** Whether a certificate need not be replaced for its issuer's sake. */
  boolean accept(CertifiedKey pair) {
    return issuing
        .map(authority -> pair.isIssuedBy(authority.certificate()))
        .orElseGet(() -> previous.stream().anyMatch(pair::isIssuedBy));
  }

  /** The CA of a certificate that is missing. */
  CertifiedKey issuer() {
    return issuing.or(() -> next).orElseThrow();
  }

  /** What is known of those who use the certificates. */
  interface Users {
    /** The CAs that they trust; some may be missing in a damaged Secret. */
    List<X509Certificate> trusted();

    /** Whether all of them have been told to trust the next CA. */
    boolean knowNext(CertifiedKey next);

    /** The time that they then need. */
    Duration grace();

    /** Whether none of them has a certificate of a previous CA. */
    boolean haveLeftPrevious();
  }

  /** The same after the next step, if it may be taken now. */
  Authorities step(Issuer issuer, String name, Instant now, Users users) {
    List<X509Certificate> lost = lost(users);
    if (!lost.isEmpty() && (issuing.isEmpty() || !users.haveLeftPrevious())) {
      lost.addAll(previous);
      return new Authorities(issuing, next, announced, lost);
    }
    if (next.isPresent()) {
      return users.knowNext(next.get()) ? announced(now, users.grace()) : this;
    }
    if (issuing.isEmpty()) {
      Optional<CertifiedKey> authority = Optional.of(issuer.authority(name));
      return previous.isEmpty()
          ? new Authorities(authority, List.of())
          : new Authorities(Optional.empty(), authority, Optional.empty(), previous);
    }
    if (!previous.isEmpty()) {
      return users.haveLeftPrevious() ? new Authorities(issuing, List.of()) : this;
    }
    return issuing.get().expiry().isBefore(now.plus(REPLACED_BEFORE))
        ? new Authorities(issuing, Optional.of(issuer.authority(name)), Optional.empty(), List.of())
        : this;
  }

  /** The CAs that are trusted but unknown: those of files that are missing or damaged. */
  private List<X509Certificate> lost(Users users) {
    List<X509Certificate> lost = new ArrayList<>(users.trusted());
    Stream.of(issuing, next)
        .flatMap(Optional::stream)
        .map(CertifiedKey::certificate)
        .forEach(lost::remove);
    lost.removeAll(previous);
    return lost;
  }

  private Authorities announced(Instant now, Duration grace) {
    Instant since = announced.orElse(now);
    if (now.isBefore(since.plus(grace))) {
      return new Authorities(issuing, next, Optional.of(since), previous);
    }
    List<X509Certificate> all = new ArrayList<>(previous);
    issuing.map(CertifiedKey::certificate).ifPresent(all::add);
    return new Authorities(next, all);
  }
}
