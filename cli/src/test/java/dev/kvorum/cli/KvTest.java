package dev.kvorum.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command against a server that answers as it is told. */
class KvTest {
  private static final String VERSION = "01a2140ba7c6000039442cad";
  private static final PrintStream OUT = System.out;
  private static final InputStream IN = System.in;

  private final List<String> requests = new ArrayList<>();
  private final List<String> types = new ArrayList<>();
  private final List<String> credentials = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private HttpServer server;
  private int status = 200;
  private String body = "";

  KvTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String received = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    requests.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + (received.isEmpty() ? "" : " " + received));
    types.addAll(exchange.getRequestHeaders().getOrDefault("Content-Type", List.of()));
    credentials.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
    exchange.getResponseHeaders().add("ETag", '"' + VERSION + '"');
    byte[] response = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, response.length == 0 ? -1 : response.length);
    exchange.getResponseBody().write(response);
    exchange.close();
  }

  @BeforeEach
  void start() {
    server.start();
    System.setOut(new PrintStream(bytes, true, UTF_8));
  }

  @AfterEach
  void stop() {
    server.stop(0);
    System.setOut(OUT);
    System.setIn(IN);
  }

  private String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--url", url()));
    all.addAll(List.of(arguments));
    return runAt(all.toArray(String[]::new));
  }

  private int runAt(String... arguments) {
    CommandLine line = Kv.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void putsWhatIsGivenOrComesAsInputOrIsInAFile(@TempDir Path directory) throws IOException {
    status = 201;
    assertThat(run("put", "a&b", "grün", "--ttl", "90s", "--ack", "2", "--from", "3")).isZero();
    System.setIn(new ByteArrayInputStream("from the input".getBytes(UTF_8)));
    assertThat(run("put", "k")).isZero();
    Path file = Files.writeString(directory.resolve("value"), "from a file");
    assertThat(run("put", "k", "-f", file.toString(), "--type", "text/plain")).isZero();
    assertThat(requests)
        .containsExactly(
            "PUT /v0/entity?id=a%26b&ack=2&from=3&ttl=90000 grün",
            "PUT /v0/entity?id=k from the input", "PUT /v0/entity?id=k from a file");
    assertThat(types).as("only what was given").containsExactly("text/plain");
    assertThat(out.toString().lines()).containsOnly(VERSION).hasSize(3);
  }

  @Test
  void getsAValueAsItIsAndRemovesKeys() {
    body = "no newline";
    assertThat(run("get", "k")).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("no newline");
    status = 202;
    body = "";
    assertThat(run("rm", "k", "l")).isZero();
    assertThat(requests)
        .containsExactly("GET /v0/entity?id=k", "DELETE /v0/entity?id=k", "DELETE /v0/entity?id=l");
  }

  @Test
  void listsKeysOneALine() {
    body =
        """
        {"key":"a\\nb","bytes":5,"version":"%s","expires":1764100000000,"resume":"A"}
        {"key":"ä","bytes":12,"version":"%s","resume":"A"}
        """
            .formatted(VERSION, VERSION);
    assertThat(run("ls", "x", "--limit", "9", "--reverse")).isZero();
    assertThat(out).hasToString("a\\u000ab\nä\n");
    out.getBuffer().setLength(0);
    assertThat(run("ls", "-l")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "2026-11-25T18:50:37.894Z         5  a\\u000ab  until 2025-11-25T19:46:40Z",
            "2026-11-25T18:50:37.894Z        12  ä");
    assertThat(requests)
        .containsExactly(
            "GET /v0/entities?prefix=x&limit=9&reverse=true&format=ndjson&values=false",
            "GET /v0/entities?prefix=&format=ndjson&values=false");
    body = "{\"count\":7}";
    out.getBuffer().setLength(0);
    assertThat(run("ls", "--count")).isZero();
    assertThat(out).hasToString("7\n");
  }

  @Test
  void trustsTheCaThatIsNamed(@TempDir Path directory) throws Exception {
    X509Bundle ca =
        new CertificateBuilder()
            .subject("CN=ca")
            .setIsCertificateAuthority(true)
            .ecp256()
            .buildSelfSigned();
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=kvorum")
            .addSanDnsName("localhost")
            .ecp256()
            .buildIssuedBy(ca);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.toKeyManagerFactory().getKeyManagers(), null, null);
    HttpsServer secured =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    secured.setHttpsConfigurator(new HttpsConfigurator(context));
    secured.createContext("/", this::answer);
    secured.start();
    String url = "https://localhost:" + secured.getAddress().getPort();
    Path file = Files.writeString(directory.resolve("ca.crt"), ca.getCertificatePEM());
    try {
      assertThat(runAt("--url", url, "--ca", file.toString(), "get", "k")).isZero();
      assertThat(runAt("--url", url, "put", "k", "v")).as("nothing was sent").isEqualTo(Kv.FAILED);
      assertThat(err.toString()).contains("is not trusted").contains("--ca");
    } finally {
      secured.stop(0);
    }
    assertThat(requests).containsExactly("GET /v0/entity?id=k");
    Path empty = Files.writeString(directory.resolve("empty"), "");
    assertThat(run("--ca", empty.toString(), "get", "k")).isEqualTo(Kv.WRONG);
    assertThat(run("--ca", directory.resolve("none").toString(), "get", "k")).isEqualTo(Kv.WRONG);
  }

  @Test
  void sendsTheTokenOfAUser(@TempDir Path directory) throws IOException {
    String file = Files.writeString(directory.resolve("token"), "a-secret\n").toString();
    assertThat(run("--token-file", file, "get", "k")).isZero();
    assertThat(run("rm", "k", "--token-file", file)).isZero();
    assertThat(run("get", "k")).isZero();
    assertThat(credentials).containsExactly("Bearer a-secret", "Bearer a-secret");
    status = 403;
    body = "{\"title\": \"Not allowed\", \"detail\": \"no rule\"}";
    assertThat(run("--token-file", file, "put", "k", "v")).isEqualTo(Kv.FAILED);
    assertThat(err.toString()).contains("403: Not allowed: no rule");
    Files.writeString(directory.resolve("token"), "two words");
    assertThat(run("--token-file", file, "get", "k")).isEqualTo(Kv.WRONG);
    assertThat(run("--token-file", file + "s", "get", "k")).isEqualTo(Kv.WRONG);
  }

  @Test
  void anIncompleteListIsAFailure() {
    body =
        "{\"key\":\"a\",\"bytes\":5,\"version\":\"%s\",\"resume\":\"A\"}\n".formatted(VERSION)
            + "{\"incomplete\":\"urn:kvorum:problem:quorum-not-reached\",\"detail\":\"2 of 3\"}\n";
    assertThat(run("ls")).isEqualTo(Kv.FAILED);
    assertThat(out).hasToString("a\n");
    assertThat(err).hasToString("the list is incomplete: 2 of 3\n");
  }

  @Test
  void explainsAKey() {
    body =
        """
        {"slot":931,"epoch":1,"phase":"STABLE","explanation":"GET is answered.","replicas":[
          {"member":"kvorum-0","record":"value","version":"%s","bytes":11,"hintsWaiting":2}]}
        """
            .formatted(VERSION);
    assertThat(run("explain", "k")).isZero();
    assertThat(out.toString()).startsWith("GET is answered.\nslot 931, epoch 1, stable\n");
    assertThat(out.toString().lines().skip(4))
        .singleElement()
        .asString()
        .containsPattern("kvorum-0 +value +" + VERSION + " +- +11 +- +2");
    assertThat(run("explain", "k", "--json")).isZero();
    assertThat(out.toString()).endsWith(body);
  }

  @ParameterizedTest
  @CsvSource({
    "get,404,1",
    "get,504,3",
    "get,400,3",
    "put,504,4",
    "put,500,4",
    "put,503,3",
    "rm,504,4"
  })
  void theExitCodeIsTheOutcome(String command, int answered, int code) {
    status = answered;
    body = "{\"title\":\"Title\",\"detail\":\"what was wrong\"}";
    String[] arguments =
        command.equals("put") ? new String[] {"put", "k", "v"} : new String[] {command, "k"};
    assertThat(run(arguments)).isEqualTo(code);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(answered == 404 ? "there is no key k" : "what was wrong");
  }

  @Test
  void asksTheNextNodeWhereOneCannotBeConnected() throws IOException {
    String closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = "http://localhost:" + socket.getLocalPort();
    }
    status = 201;
    assertThat(runAt("--url", closed + "," + url() + "/", "put", "k", "v")).isZero();
    assertThat(requests).containsExactly("PUT /v0/entity?id=k v");
    assertThat(runAt("put", "k", "v", "--url", closed)).isEqualTo(Kv.FAILED);
    assertThat(err.toString()).contains(closed + " cannot be connected").contains("KVORUM_URL");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "put k v --ttl 5 > it needs a unit",
        "put k v -f file > not both",
        "put k -f no-such-file > There is no file no-such-file",
        "put > Missing required parameter",
        "gett k > Unmatched arguments",
        "get k --akc 2 > Unknown options",
        "get k --url localhost:8080 > must be like http://localhost:8080",
      })
  void aMistakeGetsOneClearLine(String arguments, String message) {
    assertThat(runAt(arguments.split(" ", -1))).isEqualTo(Kv.WRONG);
    assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    assertThat(requests).isEmpty();
  }

  @Test
  void helpNamesCommandsAndExitCodes() {
    assertThat(runAt("--help")).isZero();
    assertThat(out.toString())
        .contains("put", "get", "rm", "ls", "explain", "KVORUM_URL", "Exit codes:");
    assertThat(runAt("put", "--help")).isZero();
    assertThat(out.toString()).contains("--ttl", "30d");
  }
}
