package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperatorHttpTest {
  /** How often a probe that the kubelet would give up is sent again. */
  private static final int PROBES_MAX = 20;

  private static Socket halfOfARequest(int port) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
    client
        .getOutputStream()
        .write("GET /metrics HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
    client.getOutputStream().flush();
    return client;
  }

  /** The answer's code; 0 for none in a second. */
  private static int probe(HttpClient http, int port) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/healthz"))
            .timeout(Duration.ofSeconds(1))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException none) {
      return 0;
    }
  }

  @Test
  void requestsThatNeverArriveHoldItsThreadsNoLongerThanTheirBound() throws Exception {
    try (OperatorHttp server = new OperatorHttp(0, () -> true, () -> true, () -> "");
        HttpClient http = HttpClient.newHttpClient();
        Socket one = halfOfARequest(server.port());
        Socket two = halfOfARequest(server.port())) {
      long begun = System.nanoTime();
      // Both threads stay free only once the server has closed the connections.
      one.setSoTimeout(30_000);
      two.setSoTimeout(30_000);
      assertThat(one.getInputStream().read()).isEqualTo(-1);
      assertThat(two.getInputStream().read()).isEqualTo(-1);
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(OperatorHttp.REQUEST_MAX.multipliedBy(4));
      int code = 0;
      for (int probes = 0; code == 0 && probes < PROBES_MAX; probes++) {
        code = probe(http, server.port());
      }
      assertThat(code).isEqualTo(200);
    }
  }
}
