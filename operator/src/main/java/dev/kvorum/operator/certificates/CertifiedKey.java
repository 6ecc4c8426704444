package dev.kvorum.operator.certificates;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** A certificate and its private key; those that the operator issues are of the curve P-256. */
record CertifiedKey(X509Certificate certificate, PrivateKey key) {
  static final String KEY = "EC";
  static final String SIGNATURE = "SHA256withECDSA";

  /** What a key signs to show that it is that of a certificate. */
  private static final byte[] CHALLENGE = "kvorum".getBytes(StandardCharsets.UTF_8);

  /** Reads what the operator has issued; empty if the files are missing or damaged. */
  static Optional<CertifiedKey> read(
      Map<String, String> files, String certificateFile, String keyFile) {
    return readAny(files, certificateFile, keyFile)
        .filter(pair -> pair.key.getAlgorithm().equals(KEY));
  }

  /** Reads a pair of PEM files, of any kind of key; empty if they are missing or no such pair. */
  static Optional<CertifiedKey> readAny(
      Map<String, String> files, String certificateFile, String keyFile) {
    try {
      X509CertificateHolder holder =
          parsed(files.getOrDefault(certificateFile, ""), X509CertificateHolder.class);
      PrivateKeyInfo info = parsed(files.getOrDefault(keyFile, ""), PrivateKeyInfo.class);
      X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(holder);
      CertifiedKey read =
          new CertifiedKey(
              certificate,
              KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                  .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded())));
      return read.belongTogether() ? Optional.of(read) : Optional.empty();
    } catch (IOException | GeneralSecurityException | RuntimeException changedByHand) {
      return Optional.empty();
    }
  }

  /** The first object of a kind in a PEM file. */
  private static <T> T parsed(String pem, Class<T> kind) throws IOException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
        if (kind.isInstance(object)) {
          return kind.cast(object);
        }
      }
    }
    throw new IOException("no " + kind.getSimpleName());
  }

  private boolean belongTogether() throws GeneralSecurityException {
    String kind = certificate.getPublicKey().getAlgorithm();
    String signature =
        switch (kind) {
          case "RSA" -> "SHA256withRSA";
          case KEY -> SIGNATURE;
          default -> kind;
        };
    Signature signing = Signature.getInstance(signature);
    signing.initSign(key);
    signing.update(CHALLENGE);
    byte[] signed = signing.sign();
    Signature verifying = Signature.getInstance(signature);
    verifying.initVerify(certificate.getPublicKey());
    verifying.update(CHALLENGE);
    return verifying.verify(signed);
  }

  boolean isIssuedBy(X509Certificate authority) {
    return isIssuedBy(certificate, authority);
  }

  static boolean isIssuedBy(X509Certificate certificate, X509Certificate authority) {
    try {
      certificate.verify(authority.getPublicKey());
      return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  /** The subject alternative names; none if there are none that can be read. */
  List<GeneralName> names() {
    try {
      GeneralNames names =
          GeneralNames.fromExtensions(
              new JcaX509CertificateHolder(certificate).getExtensions(),
              Extension.subjectAlternativeName);
      return names == null ? List.of() : List.of(names.getNames());
    } catch (CertificateEncodingException | RuntimeException another) {
      return List.of();
    }
  }

  Instant expiry() {
    return certificate.getNotAfter().toInstant();
  }

  /** Adds the pair to files: the key in PKCS#8, the form that nodes read. */
  void write(Map<String, String> files, String certificateFile, String keyFile) {
    files.put(certificateFile, pem(certificate));
    try {
      files.put(keyFile, pem(new JcaPKCS8Generator(key, null)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }
}
