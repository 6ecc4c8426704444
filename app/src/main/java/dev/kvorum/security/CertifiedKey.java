package dev.kvorum.security;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A private key and its certificate, followed by the certificates between it and its CA.
 *
 * @param chain the certificate of the key first
 */
record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----");

  /** What a key signs to show that it is that of a certificate. */
  private static final byte[] CHALLENGE = "kvorum".getBytes(StandardCharsets.UTF_8);

  /** Reads and checks a pair of files. */
  static CertifiedKey read(PemDirectory.Snapshot files, String certificateFile, String keyFile)
      throws InvalidCertificateException {
    List<X509Certificate> chain = certificates(files, certificateFile);
    PublicKey certified = chain.getFirst().getPublicKey();
    PrivateKey key = key(files.text(keyFile), keyFile, certified.getAlgorithm());
    if (!belongs(key, certified)) {
      throw new InvalidCertificateException(
          keyFile + " is not the key of the first certificate in " + certificateFile);
    }
    return new CertifiedKey(chain, key);
  }

  /** Reads a file with one or more certificates. */
  static List<X509Certificate> certificates(PemDirectory.Snapshot files, String name)
      throws InvalidCertificateException {
    byte[] text = files.text(name).getBytes(StandardCharsets.ISO_8859_1);
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new InvalidCertificateException(name + " has no certificate");
      }
      return all;
    } catch (CertificateException e) {
      throw new InvalidCertificateException(name + " is not a PEM file of certificates", e);
    }
  }

  private static PrivateKey key(String text, String name, String algorithm)
      throws InvalidCertificateException {
    Matcher pkcs8 = PKCS8.matcher(text);
    if (!pkcs8.find()) {
      Matcher other = OTHER_KEY.matcher(text);
      throw new InvalidCertificateException(
          name
              + (other.find() ? " has an " + other.group(1) : " has no key")
              + "; it must have a PRIVATE KEY (PKCS#8), as `openssl pkcs8 -topk8 -nocrypt` writes");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(pkcs8.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new InvalidCertificateException(
          name + " has no " + algorithm + " key, as its certificate has", e);
    }
  }

  private static boolean belongs(PrivateKey key, PublicKey certified)
      throws InvalidCertificateException {
    String algorithm =
        switch (certified.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> certified.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(CHALLENGE);
      byte[] signed = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certified);
      verifying.update(CHALLENGE);
      return verifying.verify(signed);
    } catch (GeneralSecurityException e) {
      throw new InvalidCertificateException(
          "a key of the kind " + certified.getAlgorithm() + " cannot be used", e);
    }
  }

  /** When the first certificate of the chain that expires does so. */
  Instant expiry() {
    return expiry(chain);
  }

  /** When the first of some certificates expires. */
  static Instant expiry(List<X509Certificate> chain) {
    return chain.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }
}
