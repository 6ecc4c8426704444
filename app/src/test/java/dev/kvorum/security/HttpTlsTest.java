package dev.kvorum.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.settings.TestSettings;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpTlsTest {
  private static final X509Bundle CA = TestCertificates.authority();
  private static final X509Bundle OLD = TestCertificates.issued(CA, Duration.ofDays(10));
  private static final X509Bundle NEW = TestCertificates.issued(CA, Duration.ofDays(20));

  private @TempDir Path directory;
  private @Nullable HttpTls tls;

  private HttpTls start(String... more) {
    String[] settings = new String[more.length + 3];
    settings[0] = "dir=" + directory;
    settings[1] = "http=required";
    // Only the test reads them again.
    settings[2] = "reload-interval=1h";
    System.arraycopy(more, 0, settings, 3, more.length);
    tls = HttpTls.ofClients(TestSettings.of(TlsSettings.class, settings));
    return tls;
  }

  @AfterEach
  void stop() {
    if (tls != null) {
      tls.close();
    }
  }

  private static Instant expiry(X509Bundle bundle) {
    return bundle.getCertificate().getNotAfter().toInstant();
  }

  @Test
  void servesTheCertificateThatWasWrittenLast() throws IOException {
    TestCertificates.write(directory, OLD);
    HttpTls served = start();
    assertThat(served.port().expiry()).isEqualTo(expiry(OLD));
    served.port().reload();
    assertThat(served.port().reloads()).as("of the same files").isZero();
    TestCertificates.write(directory, NEW);
    served.port().reload();
    assertThat(served.port().expiry()).isEqualTo(expiry(NEW));
    assertThat(served.port().reloads()).isEqualTo(1);
  }

  @Test
  void readsAllFilesFromWhereTheLinkOfASecretLeads() throws IOException {
    Path first = directory.resolve("..2026_1");
    Path second = directory.resolve("..2026_2");
    TestCertificates.write(first, OLD);
    TestCertificates.write(second, NEW);
    Path link = Files.createSymbolicLink(directory.resolve("..data"), first.getFileName());
    Files.createSymbolicLink(directory.resolve("http.key"), Path.of("..data", "http.key"));
    HttpTls served = start();
    Path next = Files.createSymbolicLink(directory.resolve("..tmp"), second.getFileName());
    Files.move(next, link, StandardCopyOption.REPLACE_EXISTING);
    served.port().reload();
    assertThat(served.port().expiry()).isEqualTo(expiry(NEW));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http.key | other       | is not the key of the first certificate",
        "http.key | EC          | has an EC PRIVATE KEY; it must have a PRIVATE KEY (PKCS#8)",
        "http.key | x           | has no key; it must",
        "http.key |             | there is no ",
        "http.crt | x           | is not a PEM file of certificates",
        "http.crt | ''          | has no certificate",
        "clients-ca.crt | ''    | has no certificate",
      })
  void keepsTheLastOneWhileTheFilesCannotBeUsed(
      String file, @Nullable String content, String reason) throws IOException {
    TestCertificates.write(directory, OLD);
    TestCertificates.writeClientsCa(directory, CA);
    HttpTls served = start("client-auth=optional");
    TestCertificates.write(directory, NEW);
    Path broken = directory.resolve(file);
    if (content == null) {
      Files.delete(broken);
    } else {
      Files.writeString(broken, content(content));
    }
    served.port().reload();
    assertThat(served.port().expiry()).isEqualTo(expiry(OLD));
    assertThat(served.port().isStale()).isTrue();
    served.port().reload();
    assertThat(served.port().isStale()).isTrue();
    assertThatThrownBy(() -> start("client-auth=optional"))
        .as("a node starts with nothing else")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kvorum.tls.dir is " + directory)
        .hasMessageContaining(reason);

    TestCertificates.write(directory, NEW);
    TestCertificates.writeClientsCa(directory, CA);
    served.port().reload();
    assertThat(served.port().expiry()).isEqualTo(expiry(NEW));
    assertThat(served.port().isStale()).isFalse();
    served.close();
  }

  private static String content(String name) {
    return switch (name) {
      case "other" -> OLD.getPrivateKeyPEM();
      case "EC" -> NEW.getPrivateKeyPEM().replace("PRIVATE KEY", "EC PRIVATE KEY");
      default -> name;
    };
  }

  @Test
  void whatIsReadAgainAfterAnErrorIsUsable() throws IOException {
    TestCertificates.write(directory, OLD);
    HttpTls served = start();
    Files.writeString(directory.resolve("http.crt"), "x".repeat(2 << 20));
    served.port().reload();
    assertThat(served.port().isStale()).as("a file that is too large to be read").isTrue();
    TestCertificates.write(directory, OLD);
    served.port().reload();
    assertThat(served.port().isStale()).isFalse();
    assertThat(served.port().reloads()).as("of the same files").isZero();
  }

  @Test
  void anOldCertificateThatIsPutBackReplacesNothing() throws IOException {
    X509Bundle expired = TestCertificates.issued(CA, Duration.ofDays(-1));
    TestCertificates.write(directory, expired);
    HttpTls served = start();
    assertThat(served.port().expiry()).as("a start has nothing better").isEqualTo(expiry(expired));
    TestCertificates.write(directory, OLD);
    served.port().reload();
    TestCertificates.write(directory, expired);
    served.port().reload();
    assertThat(served.port().expiry()).isEqualTo(expiry(OLD));
    assertThat(served.port().isStale()).isTrue();
  }

  @Test
  void theSameWrongFilesAreReportedAgain() throws IOException {
    TestCertificates.write(directory, OLD);
    HttpTls served = start();
    for (int i = 0; i < 2; i++) {
      Files.writeString(directory.resolve("http.key"), NEW.getPrivateKeyPEM());
      served.port().reload();
      assertThat(served.port().isStale()).isTrue();
      TestCertificates.write(directory, OLD);
      served.port().reload();
      assertThat(served.port().isStale()).isFalse();
    }
  }

  @Test
  void limitsTheHandshakesThatWaitForAThread() throws InterruptedException {
    try (TlsHandshakes threads = new TlsHandshakes("test", 1, Duration.ofSeconds(1))) {
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(2);
      Runnable handshake =
          () -> {
            begun.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      threads.execute(handshake);
      threads.execute(handshake);
      begun.await();
      threads.execute(handshake);
      assertThatThrownBy(() -> threads.execute(handshake))
          .isInstanceOf(RejectedExecutionException.class);
      assertThat(threads.rejected()).isEqualTo(1);
      end.countDown();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'CN=alice,CN=Users,DC=corp', alice",
    "'CN=alice+C=US,O=corp', alice",
    "'C=US+CN=alice', alice",
    "'OU=x,CN=alice', alice",
    "'O=corp',",
  })
  void aClientIsCalledByItsMostSpecificCommonName(String subject, @Nullable String name)
      throws NamingException {
    assertThat(ClientCertificates.commonName(subject)).isEqualTo(Optional.ofNullable(name));
  }

  @Test
  void rejectsSettingsThatDoNotFit() {
    assertThatThrownBy(() -> TestSettings.of(TlsSettings.class, "http=required"))
        .hasRootCauseMessage(
            "kvorum.tls.http needs kvorum.tls.dir, a directory with http.crt and http.key");
    assertThatThrownBy(() -> TestSettings.of(TlsSettings.class, "client-auth=required"))
        .hasRootCauseMessage(
            "kvorum.tls.client-auth needs kvorum.tls.http: without TLS there are no client"
                + " certificates");
  }
}
