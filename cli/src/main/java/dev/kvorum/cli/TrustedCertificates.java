package dev.kvorum.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that a client trusts, from a PEM file. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /** What a client needs that trusts the CAs of a file, and no other. */
  static SSLContext of(Path file) {
    try (InputStream pem = Files.newInputStream(file)) {
      return of(file.toString(), pem);
    } catch (IOException e) {
      throw new CommandException(Kv.WRONG, file + " cannot be read");
    }
  }

  /** The same for a text that was read. */
  static SSLContext of(String source, InputStream pem) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int number = 0;
      for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("ca-" + number++, ca);
      }
      if (number == 0) {
        throw new CommandException(Kv.WRONG, source + " has no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new CommandException(Kv.WRONG, source + " is not a PEM file of certificates");
    }
  }
}
