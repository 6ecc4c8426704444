package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.security.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The public port of one node with TLS, and of one with plain HTTP beside it. */
@ExtendWith(PrintsNodeLogs.class)
class TlsIT {
  private static final X509Bundle CA = TestCertificates.authority();
  private static final X509Bundle CLIENTS_CA = TestCertificates.authority();
  private static final int HANDSHAKES_MAX = 4;

  private static @TempDir Path directory;
  private static NodeProcess required;
  private static NodeProcess permissive;

  @BeforeAll
  static void start() throws IOException {
    TestCertificates.write(files(), issued());
    TestCertificates.writeClientsCa(files(), CLIENTS_CA);
    required = node("required", "kvorum.tls.http", "required");
    permissive =
        node(
            "permissive",
            "kvorum.tls.http",
            "permissive",
            "kvorum.tls.client-auth",
            "required",
            "kvorum.tls.management",
            "permissive");
  }

  private static NodeProcess node(String name, String... more) throws IOException {
    Path data = Files.createDirectory(directory.resolve(name));
    NodeProcess node = new NodeProcess("kvorum-0", data, Ports.free(), Map.of());
    node.set("kvorum.tls.dir", files().toString());
    node.set("kvorum.tls.reload-interval", "100ms");
    node.set("kvorum.tls.handshakes-max", Integer.toString(HANDSHAKES_MAX));
    node.set("kvorum.tls.handshake-timeout", "2s");
    for (int i = 0; i < more.length; i += 2) {
      node.set(more[i], more[i + 1]);
    }
    return node.launch().awaitReady();
  }

  @AfterAll
  static void stop() {
    required.close();
    permissive.close();
  }

  private static Path files() {
    return directory.resolve("tls");
  }

  private static X509Bundle issued() {
    return TestCertificates.issued(CA, Duration.ofDays(30));
  }

  private static SSLContext trusting(KeyManager... own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, CA.toTrustManagerFactory().getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyManager[] keyOf(X509Bundle client) {
    try {
      return client.toKeyManagerFactory().getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> send(NodeProcess node, String method, KeyManager... own)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(own)).build()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create("https://localhost:" + node.httpPort() + "/v0/entity?id=k"))
              .method(method, BodyPublishers.ofString(method.equals("PUT") ? "v" : ""))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void servesOverTlsAndRejectsPlainRequests() throws Exception {
    assertThat(send(required, "PUT").statusCode()).isEqualTo(201);
    HttpResponse<String> read = send(required, "GET");
    assertThat(read.body()).isEqualTo("v");
    assertThat(read.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
    HttpResponse<byte[]> plain = required.client().get("k");
    assertProblem(plain, 400, "tls-required");
    try (RawConnection connection = new RawConnection(required)) {
      connection.send("PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 100000\r\n\r\n");
      connection.send("w".repeat(100_000));
      assertThat(connection.read().status()).as("also in the middle of a value").isEqualTo(400);
      assertThat(connection.isClosedByNode()).isTrue();
    }
    assertThat(send(required, "GET").body()).as("nothing was stored").isEqualTo("v");
    assertThat(Client.text(required.management().path("/console/entity?id=k")))
        .as("through the console")
        .isEqualTo("v");
  }

  @Test
  void servesPlainRequestsBesideTls() throws Exception {
    KeyManager[] own = keyOf(TestCertificates.issued(CLIENTS_CA, Duration.ofDays(1)));
    assertThat(send(permissive, "PUT", own).statusCode()).isEqualTo(201);
    assertThat(Client.text(permissive.client().get("k"))).isEqualTo("v");
  }

  @Test
  void demandsClientCertificatesOfTheirCa() {
    KeyManager[] foreign = keyOf(TestCertificates.issued(CA, Duration.ofDays(1)));
    assertThatThrownBy(() -> send(permissive, "GET", foreign)).isInstanceOf(IOException.class);
    KeyManager[] expired = keyOf(TestCertificates.issued(CLIENTS_CA, Duration.ofMinutes(-5)));
    assertThatThrownBy(() -> send(permissive, "GET", expired)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> send(permissive, "GET")).isInstanceOf(IOException.class);
  }

  @Test
  void theManagementPortHasTlsOfItsOwn() throws Exception {
    URI readiness =
        URI.create(
            "https://localhost:%d/actuator/health/readiness"
                .formatted(permissive.management().port()));
    try (HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
      HttpRequest request = HttpRequest.newBuilder(readiness).build();
      assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
          .as("without a client certificate")
          .isEqualTo(200);
    }
    assertThat(permissive.management().path(readiness.getPath()).statusCode()).isEqualTo(200);
  }

  @Test
  void newConnectionsGetTheCertificateThatWasWrittenLast() throws Exception {
    try (SSLSocket open = connected()) {
      BigInteger before = serial(open);
      for (int i = 0; i < 5; i++) {
        X509Bundle next = issued();
        TestCertificates.write(files(), next);
        Awaitility.await("the new certificate")
            .untilAsserted(() -> {
              try (SSLSocket fresh = connected()) {
                assertThat(serial(fresh)).isEqualTo(next.getCertificate().getSerialNumber());
              }
            });
        assertThat(answer(open)).as("on the open connection").startsWith("HTTP/1.1 404");
        assertThat(serial(open)).isEqualTo(before);
      }
    }
  }

  @Test
  void handshakesThatStallDoNotBlockOthers() throws Exception {
    List<Socket> halfOpen = new ArrayList<>();
    double failed = metric("kvorum_tls_handshakes_failed_total");
    try {
      for (int i = 0; i < 10 * HANDSHAKES_MAX; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), required.httpPort());
        socket.getOutputStream().write(new byte[] {22, 3, 1});
        halfOpen.add(socket);
      }
      try (SSLSocket other = connected()) {
        assertThat(answer(other)).startsWith("HTTP/1.1 404");
      }
      Awaitility.await("they time out")
          .until(
              () -> metric("kvorum_tls_handshakes_failed_total") >= failed + 10 * HANDSHAKES_MAX);
      assertThat(metric("kvorum_tls_handshakes_rejected_total")).isZero();
      assertThat(metric("kvorum_tls_certificate_expiry_timestamp_seconds"))
          .isGreaterThan(System.currentTimeMillis() / 1e3);
    } finally {
      for (Socket socket : halfOpen) {
        socket.close();
      }
    }
  }

  @Test
  void theConsoleTrustsItsNodeWhateverTheNamesOfTheCertificate() throws Exception {
    double reloads = metric("kvorum_tls_reloads_total");
    TestCertificates.write(files(), TestCertificates.named("kvorum-0.example", CA));
    Awaitility.await("the certificate of another name")
        .until(() -> metric("kvorum_tls_reloads_total") > reloads);
    assertThat(required.management().path("/console/entity?id=none").statusCode()).isEqualTo(404);
    TestCertificates.write(files(), issued());
    Awaitility.await("the one before").until(TlsIT::isConnected);
  }

  private static boolean isConnected() {
    try (HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
      URI node = URI.create("https://localhost:" + required.httpPort() + "/v0/entity?id=none");
      return client
              .send(HttpRequest.newBuilder(node).build(), BodyHandlers.discarding())
              .statusCode()
          == 404;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double metric(String name) {
    return Client.text(required.management().path("/actuator/prometheus"))
        .lines()
        .filter(line -> line.startsWith(name + "{") && line.contains("port=\"http\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  private static SSLSocket connected() throws IOException {
    SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("localhost", required.httpPort());
    socket.startHandshake();
    return socket;
  }

  private static BigInteger serial(SSLSocket socket) throws IOException {
    return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
  }

  private static String answer(SSLSocket socket) throws IOException {
    String request = "GET /v0/entity?id=none HTTP/1.1\r\nHost: k\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      answer.append((char) in.read());
    }
    int length =
        Integer.parseInt(answer.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
    in.readNBytes(length);
    return answer.toString();
  }
}
