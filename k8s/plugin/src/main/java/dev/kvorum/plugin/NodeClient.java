package dev.kvorum.plugin;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Reads pages of the management ports of a cluster's pods, through the API server. */
final class NodeClient {
  private static final int PORT = 8090;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Target target;
  private final Access access;
  private @Nullable HttpClient http;

  NodeClient(Target target, Access access) {
    this.target = target;
    this.access = access;
  }

  /**
   * Returns a page of a pod.
   *
   * @throws IOException if it is not to be had; the message is one line
   */
  String get(Pod pod, String path) throws IOException, InterruptedException {
    boolean isTls = speaksTls(pod);
    try (PodPort port = PodPort.open(target.client(), pod, PORT)) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create((isTls ? "https" : "http") + "://localhost:" + port.local() + path))
              .timeout(TIMEOUT);
      if (isTls) {
        access.operatorToken().ifPresent(it -> request.header("Authorization", "Bearer " + it));
      }
      HttpResponse<String> answer = client().send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException("it answers " + answer.statusCode());
      }
      return answer.body();
    } catch (KubernetesClientException e) {
      throw new IOException(Target.sentence(e), e);
    }
  }

  /** As its probes do. */
  private static boolean speaksTls(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .findFirst()
        .map(Container::getReadinessProbe)
        .map(Probe::getHttpGet)
        .map(HTTPGetAction::getScheme)
        .filter("HTTPS"::equals)
        .isPresent();
  }

  private synchronized HttpClient client() throws IOException {
    if (http == null) {
      HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
      Optional<String> authorities = access.authorities();
      if (authorities.isPresent()) {
        builder.sslContext(trusting(authorities.get()));
      }
      http = builder.build();
    }
    return http;
  }

  private static SSLContext trusting(String pem) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate one :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
        store.setCertificateEntry("ca" + count++, one);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          null,
          new TrustManager[] {new AnyName((X509TrustManager) factory.getTrustManagers()[0])},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the CAs of the cluster cannot be read", e);
    }
  }
}
