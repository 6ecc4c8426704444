package dev.kvorum.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against correct stores, and incorrect ones. */
class VerifierTest {
  private static final int STOPPED_SECONDS = 0;

  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final Map<String, String> versions = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private UnaryOperator<String> stored = value -> value;
  private IntUnaryOperator version = number -> number;
  private int everyTenth = 201;
  private int rejectedFrom = Integer.MAX_VALUE;
  private int rejectedTo = Integer.MAX_VALUE;
  private int rejectedWith = 503;
  private String expectedToken = "";
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v0/entity", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(STOPPED_SECONDS);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestURI().getQuery();
      String sent = exchange.getRequestHeaders().getFirst("Authorization");
      if (!expectedToken.isEmpty() && !("Bearer " + expectedToken).equals(sent)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      if (exchange.getRequestMethod().equals("GET")) {
        String value = values.get(key);
        setVersion(exchange, versions.getOrDefault(key, ""));
        byte[] body = value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(value == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        return;
      }
      int number = requests.incrementAndGet();
      boolean isRejected = number >= rejectedFrom && number < rejectedTo;
      int code = isRejected ? rejectedWith : number % 10 == 0 ? everyTenth : 201;
      String value = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (code == 201) {
        values.put(key, stored.apply(value));
        int given = version.applyAsInt(number);
        versions.put(key, given < 0 ? "" : "%024x".formatted(given));
        setVersion(exchange, versions.getOrDefault(key, ""));
      }
      byte[] body =
          (code == 201 ? "" : "{\"detail\":\"it is busy\"}").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static void setVersion(HttpExchange exchange, String version) {
    if (!version.isEmpty()) {
      exchange.getResponseHeaders().set("ETag", '"' + version + '"');
    }
  }

  private int run(String... more) throws InterruptedException {
    String url = "--url=http://localhost:" + server.getAddress().getPort();
    String[] all = new String[more.length + 5];
    all[0] = url;
    all[1] = "--seconds=0.5";
    all[2] = "--rate=400";
    all[3] = "--keys=20";
    all[4] = "--clients=4";
    System.arraycopy(more, 0, all, 5, more.length);
    return new Verifier(Options.parse(all)).run();
  }

  @Test
  void aStoreThatLosesNothingPasses() throws InterruptedException {
    assertThat(run("--errors-max=0")).isZero();
    assertThat(values).hasSizeGreaterThan(10);
  }

  @Test
  void theReportContainsWhatIsPrinted(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path report = directory.resolve("report");
    run("--report=" + report);
    assertThat(Files.readString(report)).contains("in all ").endsWith("read back\n");
  }

  @Test
  void reportsTheMessagesOfErrors(@TempDir Path directory)
      throws IOException, InterruptedException {
    everyTenth = 503;
    Path report = directory.resolve("report");
    run("--report=" + report);
    assertThat(Files.readString(report)).containsPattern("\\n\\d+ x 503: it is busy\\n");
  }

  @Test
  void aStoreThatLosesWritesFails() throws InterruptedException {
    stored = value -> value.replaceFirst(":\\d+", ":0");
    assertThat(run()).isOne();
  }

  @Test
  void aStoreWhoseVersionsGoBackFails(@TempDir Path directory)
      throws IOException, InterruptedException {
    version = number -> number < 50 ? number : 1;
    Path report = directory.resolve("report");
    assertThat(run("--report=" + report)).isOne();
    assertThat(Files.readString(report)).contains("\nWRITE_BELOW_OLDER: ");
  }

  @Test
  void withoutVersionsItCannotJudge() throws InterruptedException {
    version = number -> -1;
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void retriableErrorsAreToleratedUpToTheirShare() throws InterruptedException {
    everyTenth = 503;
    assertThat(run("--errors-max=0.5")).isZero();
    assertThat(run("--errors-max=0.001")).isOne();
  }

  @Test
  void anErrorThatIsNotRetriableFails() throws InterruptedException {
    everyTenth = 500;
    assertThat(run("--errors-max=0.5")).isOne();
  }

  @Test
  void aStoreThatAcceptsNoWritesAnyMoreFails(@TempDir Path directory)
      throws IOException, InterruptedException {
    rejectedFrom = 50;
    Path report = directory.resolve("report");
    assertThat(run("--wait-seconds=0.3", "--report=" + report)).isOne();
    assertThat(Files.readString(report))
        .containsPattern("UNAVAILABLE: \\d+ keys accepted no write");
  }

  @Test
  void oneThatAcceptsNoneForTooLongFails() throws InterruptedException {
    rejectedFrom = 20;
    rejectedTo = 90;
    assertThat(run("--pause-max-seconds=5")).isZero();
    requests.set(0);
    assertThat(run("--pause-max-seconds=0.1")).isOne();
  }

  @Test
  void sendsTheTokenOfAUserWithEachRequest(@TempDir Path directory)
      throws IOException, InterruptedException {
    expectedToken = "a-secret";
    Path file = Files.writeString(directory.resolve("token"), "a-secret\n");
    assertThat(run("--errors-max=0", "--token-file=" + file)).isZero();
    Files.writeString(file, "another");
    Path report = directory.resolve("report");
    assertThat(run("--wait-seconds=0.3", "--token-file=" + file, "--report=" + report))
        .isEqualTo(2);
    assertThat(Files.readString(report)).contains("the last one was answered with 401");
  }

  @Test
  void waitsUntilItsUserHasTakenEffect() throws InterruptedException {
    for (int status : new int[] {401, 403, 429}) {
      requests.set(0);
      rejectedFrom = 0;
      rejectedTo = 5;
      rejectedWith = status;
      assertThat(run("--errors-max=0")).isZero();
    }
  }

  @Test
  void aTokenIsInAFileOrAVariable(@TempDir Path directory) throws IOException {
    String file = Files.writeString(directory.resolve("token"), "a-secret\n").toString();
    assertThat(Options.token(Optional.of(file), "other")).contains("a-secret");
    assertThat(Options.token(Optional.empty(), "other")).contains("other");
    assertThat(Options.token(Optional.empty(), "")).isEmpty();
    assertThat(Options.token(Optional.empty(), null)).isEmpty();
    assertThatThrownBy(() -> Options.token(Optional.of(file + "s"), null))
        .hasMessage(file + "s cannot be read");
    assertThatThrownBy(() -> Options.token(Optional.empty(), "two words"))
        .hasMessage("$KVORUM_TOKEN has no token: one word of ASCII characters");
    Files.writeString(Path.of(file), "two words");
    assertThatThrownBy(() -> Options.parse("--url=http://a", "--token-file=" + file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + " has no token: one word of ASCII characters");
  }

  @Test
  void withoutAStoreItCannotJudge() throws InterruptedException {
    server.stop(STOPPED_SECONDS);
    assertThat(run("--wait-seconds=0.3")).isEqualTo(2);
  }

  @Test
  void aWrongArgumentIsRejected() {
    assertThatThrownBy(() -> Options.parse("--url=http://a", "--rat=3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rat");
    assertThatThrownBy(() -> Options.parse("--url=http://a", "--rate=0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--rate is 0");
  }
}
