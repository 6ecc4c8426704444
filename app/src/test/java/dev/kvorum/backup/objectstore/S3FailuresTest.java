package dev.kvorum.backup.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers that a working server does not give. */
class S3FailuresTest {
  private static final Credentials KEY = new Credentials("id", "hidden", Optional.empty());

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private ObjectStore store;

  /** What the server does with a request. */
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    store = open(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    store.close();
    server.stop(0);
  }

  private static ObjectStore open(int port) throws IOException {
    String url = "s3://bucket?endpoint=http://127.0.0.1:" + port;
    return ObjectStore.open(StoreUrl.parse(url), KEY);
  }

  private void answer(Answer answer) {
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          try (exchange;
              InputStream body = exchange.getRequestBody()) {
            body.skip(Long.MAX_VALUE);
            answer.to(exchange);
          }
        });
  }

  private static void error(HttpExchange exchange, int status, String code) throws IOException {
    byte[] body = ("<Error><Code>" + code + "</Code></Error>").getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @ParameterizedTest
  @CsvSource({
    "400, EntityTooLarge, INVALID",
    "401, Unauthorized, DENIED",
    "403, AccessDenied, DENIED",
    "403, QuotaExceeded, FULL",
    "404, NoSuchBucket, NOT_FOUND",
    "301, PermanentRedirect, INVALID",
    "501, NotImplemented, UNAVAILABLE",
    "507, InsufficientStorage, FULL",
  })
  void statusAndCodeTellTheReason(int status, String code, Reason reason) {
    answer(exchange -> error(exchange, status, code));

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.put("a", new byte[10]))
        .matches(e -> e.reason() == reason, "of reason " + reason)
        .withMessageStartingWith("cannot store a in bucket bucket at http://127.0.0.1:")
        .withMessageContaining("" + status)
        .withMessageNotContaining("hidden");
  }

  @Test
  void anUnavailableServerIsAskedAFewTimes() {
    answer(exchange -> error(exchange, 503, "ServiceUnavailable"));

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.put("a", new byte[10]))
        .matches(e -> e.reason() == Reason.UNAVAILABLE)
        .matches(ObjectStoreException::isTransient);
    assertThat(requests).hasValue(4);
  }

  @Test
  void aServerThatRecoversIsAskedAgain() throws IOException {
    answer(exchange -> {
      if (requests.get() == 1) {
        error(exchange, 500, "InternalError");
      } else {
        exchange.sendResponseHeaders(200, -1);
      }
    });

    store.put("a", new byte[10]);
    assertThat(requests).hasValue(2);
  }

  @Test
  void anAbsentObjectNeedsNoCode() {
    answer(exchange -> exchange.sendResponseHeaders(404, -1));

    assertThatExceptionOfType(NoSuchObjectException.class).isThrownBy(() -> store.get("a"));
  }

  @Test
  void aBodyThatEndsEarlyIsNotTakenForTheObject() {
    answer(exchange -> {
      exchange.sendResponseHeaders(200, 10);
      exchange.getResponseBody().write(new byte[4]);
      exchange.getResponseBody().flush();
    });

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.read("a", 100))
        .matches(e -> e.reason() == Reason.UNAVAILABLE)
        .withMessageStartingWith("cannot read a in bucket bucket");
  }

  @Test
  void aClosedPortIsUnreachable() throws IOException {
    try (ObjectStore nobody = open(VersityServer.freePort())) {
      assertThatExceptionOfType(ObjectStoreException.class)
          .isThrownBy(() -> nobody.list("", _ -> {}))
          .matches(e -> e.reason() == Reason.UNREACHABLE)
          .matches(ObjectStoreException::isTransient)
          .withMessageContaining("at http://127.0.0.1:");
    }
  }

  @Test
  void missingCredentialsAreNamed() {
    StoreUrl url = StoreUrl.parse("s3://bucket?region=eu-central-1");

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> ObjectStore.open(url, Credentials.NONE))
        .matches(e -> e.reason() == Reason.DENIED)
        .withMessageContaining("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing")
        .withMessageContaining("bucket bucket at AWS, region eu-central-1");
  }
}
