package dev.kvorum.security;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Certificates for tests, and the files that a node reads them from. */
public final class TestCertificates {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  private TestCertificates() {}

  /** A CA of its own. */
  public static X509Bundle authority() {
    return build(
        new CertificateBuilder().subject("CN=test CA").setIsCertificateAuthority(true), null);
  }

  /** A CA that another one has certified. */
  public static X509Bundle authority(X509Bundle above) {
    return build(
        new CertificateBuilder().subject("CN=intermediate CA").setIsCertificateAuthority(true),
        above);
  }

  /** The certificate that a CA had before, of the same key. */
  public static X509Bundle formerly(X509Bundle authority) {
    Instant end = Instant.now().minus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
    return build(
        new CertificateBuilder()
            .subject(authority.getCertificate().getSubjectX500Principal())
            .setIsCertificateAuthority(true)
            .keyPair(authority.getKeyPair())
            .notAfter(end),
        authority);
  }

  /** A certificate of this machine, or of a client on it. */
  public static X509Bundle issued(X509Bundle authority, Duration validity) {
    Instant end = Instant.now().plus(validity).truncatedTo(ChronoUnit.SECONDS);
    return build(
        new CertificateBuilder().subject("CN=localhost").addSanDnsName("localhost").notAfter(end),
        authority);
  }

  /** A certificate of another machine. */
  public static X509Bundle named(String host, X509Bundle authority) {
    return build(new CertificateBuilder().subject("CN=" + host).addSanDnsName(host), authority);
  }

  /** A certificate of a member, valid for an hour already if it still is. */
  public static X509Bundle member(
      X509Bundle authority, String cluster, String member, Duration validity) {
    Instant end = Instant.now().plus(validity).truncatedTo(ChronoUnit.SECONDS);
    return build(
        named(cluster, member)
            .addExtendedKeyUsageServerAuth()
            .addExtendedKeyUsageClientAuth()
            .notAfter(end),
        validity.isNegative() ? LONG_AGO : Instant.now().minus(Duration.ofHours(1)),
        authority);
  }

  /** A certificate with which a member could not dial. */
  public static X509Bundle serverOnly(X509Bundle authority, String cluster, String member) {
    return build(named(cluster, member).addExtendedKeyUsageServerAuth(), authority);
  }

  /** A certificate of a member that is valid from tomorrow. */
  public static X509Bundle tomorrow(X509Bundle authority, String cluster, String member) {
    return build(named(cluster, member), Instant.now().plus(Duration.ofDays(1)), authority);
  }

  private static CertificateBuilder named(String cluster, String member) {
    return new CertificateBuilder()
        .subject("CN=" + member)
        .addSanUriName(URI.create("kvorum://" + cluster + "/member/" + member));
  }

  private static X509Bundle build(CertificateBuilder builder, @Nullable X509Bundle authority) {
    return build(builder, LONG_AGO, authority);
  }

  private static X509Bundle build(
      CertificateBuilder builder, Instant begin, @Nullable X509Bundle authority) {
    CertificateBuilder ready = builder.ecp256().notBefore(begin);
    try {
      return authority == null ? ready.buildSelfSigned() : ready.buildIssuedBy(authority);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes what a node serves with. */
  public static void write(Path directory, X509Bundle served) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("http.key"), served.getPrivateKeyPEM());
    Files.writeString(directory.resolve("http.crt"), served.getCertificatePathPEM());
  }

  /** Writes what a member proves itself with, and whose certificates it trusts. */
  public static void writeMember(
      Path directory, String name, X509Bundle own, X509Bundle... authorities) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(name + ".key"), own.getPrivateKeyPEM());
    Files.writeString(directory.resolve(name + ".crt"), own.getCertificatePathPEM());
    Files.writeString(
        directory.resolve("peer-ca.crt"),
        Arrays.stream(authorities)
            .map(X509Bundle::getCertificatePEM)
            .collect(Collectors.joining("\n")));
  }

  /** Writes whose clients a node trusts. */
  public static void writeClientsCa(Path directory, X509Bundle authority) throws IOException {
    Files.writeString(directory.resolve("clients-ca.crt"), authority.getCertificatePEM());
  }
}
