package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.certificates.CertificateObjects;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.view.NodeReport;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes are asked by HTTP or TLS, as their pods say, and believed by the CAs of their cluster. */
@EnableKubernetesMockClient(crud = true, https = false)
@SuppressWarnings("NullAway.Init") // by the extension, and each test
class HttpReportsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String TOKEN = "kvt_operator_0123456789abcdef";
  private static final char[] NO_PASSWORD = {};

  private static final byte[] RESPONSE =
      """
      HTTP/1.1 200 OK\r
      Connection: close\r
      \r
      {"cluster": "id", "node": "kvorum-0"}
      """
          .getBytes(StandardCharsets.US_ASCII);

  KubernetesClient client;
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private ServerSocket node;
  private HttpReports reports;

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  /** What an operator has issued to a cluster. */
  private static Map<String, HasMetadata> issued() {
    KvorumCluster cluster = Specs.cluster(Specs.withProfile(1, "standard"));
    Map<String, HasMetadata> stored = new HashMap<>();
    for (int written = 0; written < 3; written++) {
      new CertificateObjects(cluster, "id", Instant.now(), Map.copyOf(stored), Optional.empty())
          .of(1, Map.of())
          .forEach(object -> stored.put(ClusterObjects.key(object), object));
    }
    return stored;
  }

  private static SSLContext context(Map<String, HasMetadata> issued)
      throws GeneralSecurityException, IOException {
    Map<String, String> files =
        ((Secret) Objects.requireNonNull(issued.get("Secret/kvorum-tls"))).getData();
    Base64.Decoder base64 = Base64.getDecoder();
    String key =
        new String(base64.decode(files.get("http.key")), StandardCharsets.US_ASCII)
            .replaceAll("-----[^-]+-----|\\s", "");
    PrivateKey secret =
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(base64.decode(key)));
    Certificate certificate =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(base64.decode(files.get("http.crt"))));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    store.setKeyEntry("node", secret, NO_PASSWORD, new Certificate[] {certificate});
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** Answers each connection with a report, whatever it asks for. */
  private void serve(ServerSocket socket) {
    node = socket;
    reports = new HttpReports(socket.getLocalPort());
    Thread.ofVirtual()
        .start(() -> {
          while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
              BufferedReader request =
                  new BufferedReader(
                      new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
              // With some of it unread, the connection would be reset.
              String line = request.readLine();
              while (line != null && !line.isEmpty()) {
                if (line.startsWith("Authorization:")) {
                  tokens.add(line);
                }
                line = request.readLine();
              }
              client.getOutputStream().write(RESPONSE);
            } catch (IOException rejected) {
              // By the client, or the test is over.
            }
          }
        });
  }

  private void serveSecurely(Map<String, HasMetadata> issued) throws Exception {
    serve(
        context(issued)
            .getServerSocketFactory()
            .createServerSocket(0, 0, InetAddress.getLoopbackAddress()));
  }

  private static List<ReportSource.Address> address(boolean isSecured) {
    return List.of(new ReportSource.Address("kvorum-0", "127.0.0.1", isSecured));
  }

  private Map<String, NodeReport> asked(boolean isSecured) {
    return reports.fetch(address(isSecured), TIMEOUT);
  }

  private void trust(Map<String, HasMetadata> issued) {
    Set<X509Certificate> authorities = CertificateObjects.trustedByClients(issued, "kvorum");
    assertThat(authorities).hasSize(1);
    reports.trust(address(true), authorities, Optional.of(TOKEN));
  }

  @Test
  void aPlainNodeIsAskedByHttp() throws IOException {
    serve(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
    assertThat(asked(false)).containsOnlyKeys("kvorum-0");
    assertThat(asked(true)).as("not by HTTP if it has to be secured").isEmpty();
  }

  @Test
  void aSecuredNodeIsBelievedByTheCaOfItsCluster() throws Exception {
    Map<String, HasMetadata> issued = issued();
    serveSecurely(issued);
    assertThat(asked(false)).isEmpty();
    trust(issued);
    assertThat(asked(true)).containsOnlyKeys("kvorum-0");
    trust(issued());
    assertThat(asked(true)).as("while the node may have read no new files").hasSize(1);
  }

  /** Also while a cluster changes to another Secret, and pods are still mounted the one before. */
  @Test
  void nodesAreKnownByWhatTheirPodsAreMounted() throws Exception {
    Map<String, HasMetadata> issued = issued();
    serveSecurely(issued);
    issued.values().forEach(object -> client.resource(object).create());
    Secret own = (Secret) Objects.requireNonNull(issued().get("Secret/kvorum-tls"));
    own.getMetadata().setName("own");
    client.resource(own).create();
    KvorumCluster cluster = Specs.cluster(Specs.secured(Specs.alone(), "standard", "own"));
    for (String secret : List.of("own", "kvorum-tls")) {
      HttpReports asking = new HttpReports(node.getLocalPort());
      asking.trust(
          address(true),
          CertificateReader.ofNodes(
              new Reads(client, Instant.EPOCH), cluster, secret, Instant.now()),
          Optional.empty());
      assertThat(asking.fetch(address(true), TIMEOUT))
          .as(secret)
          .hasSize(secret.equals("own") ? 0 : 1);
    }
    Set<X509Certificate> all =
        CertificateReader.ofNodes(
            new Reads(client, Instant.EPOCH), cluster, "kvorum-tls", Instant.now());
    assertThat(all).as("its certificate, and the CA of the next one").hasSize(2);
    assertThat(
            CertificateReader.ofNodes(
                new Reads(client, Instant.EPOCH), cluster, "missing", Instant.now()))
        .isEmpty();
  }

  @Test
  void aSecuredNodeOfAnotherCaIsNotBelieved() throws Exception {
    serveSecurely(issued());
    trust(issued());
    assertThat(asked(true)).isEmpty();
  }

  @Test
  void anyCertificateIsTakenWhileTheCaIsUnknown() throws Exception {
    serveSecurely(issued());
    reports.trust(address(true), Set.of(), Optional.of(TOKEN));
    assertThat(asked(true)).containsOnlyKeys("kvorum-0");
    assertThat(tokens).as("it may be anyone").isEmpty();
  }

  @Test
  void aTokenIsShownToNodesThatAreKnown() throws Exception {
    Map<String, HasMetadata> issued = issued();
    serveSecurely(issued);
    assertThat(asked(true)).hasSize(1);
    assertThat(tokens).as("before").isEmpty();
    trust(issued);
    assertThat(asked(true)).hasSize(1);
    assertThat(tokens).containsExactly("Authorization: Bearer " + TOKEN);
    tokens.clear();
    assertThat(asked(false)).isEmpty();
    Set<X509Certificate> others = CertificateObjects.trustedByClients(issued(), "kvorum");
    reports.trust(address(true), others, Optional.of("kvt_operator_of-another-cluster"));
    assertThat(asked(true)).as("its address is now that of a node of another cluster").isEmpty();
    assertThat(tokens).isEmpty();
  }

  @Test
  void noTokenIsSentInPlain() throws Exception {
    serve(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
    trust(issued());
    assertThat(asked(false)).hasSize(1);
    assertThat(tokens).isEmpty();
  }
}
