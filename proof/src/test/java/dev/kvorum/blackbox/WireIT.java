package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.RawConnection.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HTTP from old and unusual clients. */
@ExtendWith(PrintsNodeLogs.class)
class WireIT extends WireClient {
  @Test
  void tellsTheLengthButSendsNoBodyForHead() throws IOException {
    NODE.client().put(key, "twelve bytes");
    RawConnection connection = connect();

    Response head =
        connection.send("HEAD " + entity() + " HTTP/1.1\r\n" + HOST + "\r\n").read(true);

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("content-length")).isEqualTo("12");
    assertThat(head.header("etag")).isNotEmpty();
    assertUsable(connection);
  }

  @Test
  void keepsTheConnectionAfterEveryKindOfAnswer() throws IOException {
    RawConnection connection = connect();
    String etag = put(connection, "v").header("etag");

    connection.send(
        "GET " + entity() + " HTTP/1.1\r\n" + HOST + "If-None-Match: " + etag + "\r\n\r\n");
    assertThat(connection.read().status()).isEqualTo(304);
    connection.send(
        "HEAD " + entity() + " HTTP/1.1\r\n" + HOST + "If-None-Match: " + etag + "\r\n\r\n");
    assertThat(connection.read(true).status()).isEqualTo(304);
    connection.send("HEAD " + entity() + "-none HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(connection.read(true).status()).isEqualTo(404);
    connection.send("GET " + entity() + "-none HTTP/1.1\r\n" + HOST + "\r\n");
    assertProblem(connection.read(), 404, "not-found");
    connection.send("DELETE " + entity() + " HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(connection.read().status()).isEqualTo(202);
    connection.send("GET /v0/entity HTTP/1.1\r\n" + HOST + "\r\n");
    assertProblem(connection.read(), 400, "missing-id");
    connection.send("GET /nowhere HTTP/1.1\r\n" + HOST + "\r\n");
    assertProblem(connection.read(), 400, "unknown-path");
    connection.send("HEAD /nowhere HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(connection.read(true).status()).isEqualTo(400);
    connection.send("POST " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody");
    assertProblem(connection.read(), 405, "method-not-allowed");
    connection.send(
        "PUT /v0/entity?id=k&ack=0 HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody");
    assertProblem(connection.read(), 400, "invalid-quorum");
    connection.send("PUT /nowhere HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody");
    assertProblem(connection.read(), 400, "unknown-path");
    connection.send("GET " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody");
    assertProblem(connection.read(), 404, "not-found");
    connection.send(
        "DELETE " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 4\r\n\r\nbody");
    assertThat(connection.read().status()).isEqualTo(202);
    assertUsable(connection);
  }

  @Test
  void goesOnAfterAValueThatWasTooLarge() throws IOException {
    RawConnection connection = connect();
    byte[] value = new byte[VALUE_MAX + 1];

    connection.send(
        "PUT "
            + entity()
            + " HTTP/1.1\r\n"
            + HOST
            + "Content-Length: "
            + value.length
            + "\r\n\r\n");
    connection.send(value);
    assertProblem(connection.read(), 413, "value-too-large");
    connection.send(
        "PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 3; i++) {
      connection.send(Integer.toHexString(VALUE_MAX / 2) + "\r\n");
      connection.send(new byte[VALUE_MAX / 2]).send("\r\n");
    }
    connection.send("0\r\n\r\n");
    assertProblem(connection.read(), 413, "value-too-large");
    assertThat(NODE.client().get(key).statusCode()).isEqualTo(404);
    assertUsable(connection);
  }

  @Test
  void answersAndHangsUpWhenFarTooMuchIsSent() throws IOException {
    RawConnection announced = connect();
    announced.send(
        "PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 99999999999\r\n\r\n");
    Response response = announced.read();
    assertProblem(response, 413, "value-too-large");
    assertThat(response.header("connection")).isEqualToIgnoringCase("close");
    assertThat(announced.isClosedByNode()).isTrue();

    RawConnection endless = connect();
    endless.send("PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n");
    byte[] chunk = new byte[1 << 16];
    boolean rejected = false;
    for (int i = 0; i < 1_000 && !rejected; i++) {
      try {
        endless.send("10000\r\n").send(chunk).send("\r\n");
      } catch (IOException e) {
        rejected = true;
      }
    }
    assertThat(rejected).as("a body without end is cut off").isTrue();
    assertThat(NODE.client().get(key).statusCode()).isEqualTo(404);
  }

  @Test
  void doesNotAskForAValueThatItWillReject() throws IOException {
    String expect = "Expect: 100-continue\r\n";
    RawConnection connection = connect();
    connection.send(
        "PUT " + entity() + " HTTP/1.1\r\n" + HOST + expect + "Content-Length: 2\r\n\r\n");
    assertThat(connection.read().status()).isEqualTo(100);
    connection.send("ok");
    assertThat(connection.read().status()).isEqualTo(201);
    assertUsable(connection);

    for (String rejected :
        List.of(
            "PUT " + entity() + " HTTP/1.1\r\nContent-Length: 2000000\r\n",
            "PUT " + entity() + "&ack=9 HTTP/1.1\r\nContent-Length: 2\r\n",
            "POST " + entity() + " HTTP/1.1\r\nContent-Length: 2\r\n",
            "PUT /nowhere HTTP/1.1\r\nContent-Length: 2\r\n")) {
      RawConnection fresh = connect();
      Response response = fresh.send(rejected + HOST + expect + "\r\n").read();
      assertThat(response.status()).as(rejected).isBetween(400, 499);
      // The body may follow all the same, so the next request could not be distinguished from it.
      assertThat(response.header("connection")).as(rejected).isEqualToIgnoringCase("close");
      assertThat(fresh.isClosedByNode()).as(rejected).isTrue();
    }
  }

  @Test
  void answersPipelinedRequestsInTheirOrder() throws IOException {
    RawConnection connection = connect();
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      requests.append("PUT " + entity() + "-" + i + " HTTP/1.1\r\n" + HOST);
      requests.append("Content-Length: 2\r\n\r\n" + (i + 10));
      requests.append("GET " + entity() + "-" + i + " HTTP/1.1\r\n" + HOST + "\r\n");
    }
    connection.send(requests.toString());
    for (int i = 0; i < 50; i++) {
      assertThat(connection.read().status()).isEqualTo(201);
      assertThat(connection.read().text()).isEqualTo(Integer.toString(i + 10));
    }
    assertUsable(connection);
  }

  @Test
  void holdsOutAgainstAClientThatAsksAndNeverReads() throws IOException {
    NODE.client().put(key, new byte[100_000], "");
    RawConnection connection = connect();
    byte[] request =
        ("GET " + entity() + " HTTP/1.1\r\n" + HOST + "\r\n").getBytes(StandardCharsets.US_ASCII);
    Thread asking =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; i < 100_000; i++) {
                  connection.send(request);
                }
              } catch (IOException e) {
                // Closed at the end of the test, while the node takes no more.
              }
            });
    for (int i = 0; i < 50; i++) {
      assertThat(NODE.client().get(key).body()).hasSize(100_000);
    }
    assertThat(asking.isAlive()).as("the node takes no more than it can answer").isTrue();
  }

  @Test
  void servesHttp10() throws IOException {
    NODE.client().put(key, "old");
    RawConnection once = connect();
    Response response = once.send("GET " + entity() + " HTTP/1.0\r\n\r\n").read();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("old");
    assertThat(once.isClosedByNode()).isTrue();

    RawConnection storing = connect();
    storing.send("PUT " + entity() + " HTTP/1.0\r\nContent-Length: 3\r\n\r\nnew");
    assertThat(storing.read().status()).isEqualTo(201);
    assertThat(Client.text(NODE.client().get(key))).isEqualTo("new");
  }

  @Test
  void endsTheConnectionWhenAsked() throws IOException {
    RawConnection connection = connect();
    connection.send("GET " + entity() + " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
    assertProblem(connection.read(), 404, "not-found");
    assertThat(connection.isClosedByNode()).isTrue();
  }

  @Test
  void takesTheFormThatProxiesAreSentAndRawUtf8() throws IOException {
    RawConnection connection = connect();
    put(connection, "v");
    connection.send("GET http://kvorum" + entity() + " HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(connection.read().text()).isEqualTo("v");

    String euro = key + "€";
    NODE.client().put(euro, "€");
    connection.send(
        ("GET /v0/entity?id=" + euro + " HTTP/1.1\r\n" + HOST + "\r\n")
            .getBytes(StandardCharsets.UTF_8));
    assertThat(connection.read().text()).isEqualTo("€");
    connection.send("GET /v0/entity?id=\u00e9 HTTP/1.1\r\n" + HOST + "\r\n");
    assertProblem(connection.read(), 400, "invalid-encoding");
    assertUsable(connection);
  }
}
