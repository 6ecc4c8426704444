package dev.kvorum.operator.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates (RFC 5280) with keys of the curve P-256. */
final class Issuer {
  static final Duration AUTHORITY_LIFETIME = Duration.ofDays(5 * 365);

  /** How long certificates of members and for clients are valid. */
  static final Duration LIFETIME = Duration.ofDays(90);

  private static final String CURVE = "secp256r1";

  /** Certificates are valid from a little earlier, for clocks that are behind. */
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final int SERIAL_BITS = 159;
  private static final int ID_BYTES = 4;

  private final SecureRandom random = new SecureRandom();
  private final Instant now;

  Issuer(Instant now) {
    this.now = now;
  }

  /**
   * Returns a new CA, which issues no other CAs. Each has a subject of its own, so that two of one
   * name can be told apart while both are trusted.
   */
  CertifiedKey authority(String name) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    X500Principal subject = subject(name + " " + HexFormat.of().formatHex(id));
    try {
      KeyPair pair = pair();
      X509v3CertificateBuilder certificate =
          builder(subject, subject, pair, now.plus(AUTHORITY_LIFETIME))
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return signed(certificate, pair, pair.getPrivate());
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("a CA cannot be made", e);
    }
  }

  /** Returns a new certificate of a CA, which is valid no longer than the CA. */
  CertifiedKey issue(
      CertifiedKey authority, String name, List<GeneralName> names, List<KeyPurposeId> purposes) {
    Instant end = now.plus(LIFETIME);
    try {
      KeyPair pair = pair();
      X509v3CertificateBuilder certificate =
          builder(
                  authority.certificate().getSubjectX500Principal(),
                  subject(name),
                  pair,
                  end.isBefore(authority.expiry()) ? end : authority.expiry())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(
                  Extension.extendedKeyUsage,
                  false,
                  new ExtendedKeyUsage(purposes.toArray(KeyPurposeId[]::new)))
              .addExtension(
                  Extension.subjectAlternativeName,
                  false,
                  new GeneralNames(names.toArray(GeneralName[]::new)))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils()
                      .createAuthorityKeyIdentifier(authority.certificate()));
      return signed(certificate, pair, authority.key());
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("a certificate cannot be issued", e);
    }
  }

  private static X500Principal subject(String name) {
    return new X500Principal("O=kvorum, CN=" + name);
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(CertifiedKey.KEY);
    generator.initialize(new ECGenParameterSpec(CURVE));
    return generator.generateKeyPair();
  }

  private X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, KeyPair pair, Instant end)
      throws GeneralSecurityException, IOException {
    return new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(SERIAL_BITS, random).setBit(0),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(end),
            subject,
            pair.getPublic())
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
  }

  private static CertifiedKey signed(
      X509v3CertificateBuilder certificate, KeyPair pair, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException {
    return new CertifiedKey(
        new JcaX509CertificateConverter()
            .getCertificate(
                certificate.build(new JcaContentSignerBuilder(CertifiedKey.SIGNATURE).build(key))),
        pair.getPrivate());
  }
}
