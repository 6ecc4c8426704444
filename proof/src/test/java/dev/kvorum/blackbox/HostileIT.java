package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.blackbox.RawConnection.Response;
import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP from hostile and broken clients. */
@ExtendWith(PrintsNodeLogs.class)
class HostileIT extends WireClient {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%",
        "/%zz",
        "/a[b]{c}|d",
        "/\u00e9",
        "/v0/x?q=%",
        "//",
        "*",
        "http://",
        "http://[",
        "\"<>",
        "kvorum:8080"
      })
  void callsEveryStrangeTargetAnUnknownPath(String target) throws IOException {
    RawConnection connection = connect();
    Response response = connection.send("GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n").read();
    assertProblem(response, 400, "unknown-path");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n\r\n\r\n\u0000\u0000\u0000 \r\n\r\n",
        "GARBAGE\r\n\r\n",
        "GET\r\n\r\n",
        "GET /v0/entity?id=a b HTTP/1.1\r\nHost: k\r\n\r\n",
        "GET /v0/entity?id=k NOTHTTP\r\nHost: k\r\n\r\n",
        "GET /v0/entity?id=k HTTP/1.1\r\n\r\n",
        "GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nHost: l\r\n\r\n",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: x\r\n\r\nabc",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: -1\r\n\r\nabc",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: +3\r\n\r\nabc",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        "PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n",
        "GET /v0/entity?id=k HTTP/1.1\r\nBad Header: v\r\n\r\n",
        "GET /v0/entity?id=k HTTP/1.1\r\n: v\r\n\r\n",
      })
  void rejectsWhatIsNotHttpAndHangsUp(String garbage) throws IOException {
    RawConnection connection = connect();
    Response response = connection.send(garbage).read();
    assertProblem(response, 400, "malformed-request");
    assertThat(connection.isClosedByNode()).isTrue();
    assertThat(NODE.log()).as("nobody can fill the log").doesNotContain("Decoding failed");
  }

  @Test
  void rejectsLinesAndHeadersWithoutEnd() throws IOException {
    RawConnection line = connect();
    line.send("GET /v0/entity?id=" + "x".repeat(17 << 10) + " HTTP/1.1\r\n" + HOST + "\r\n");
    assertProblem(line.read(), 414, "uri-too-long");
    assertThat(line.isClosedByNode()).isTrue();

    RawConnection header = connect();
    header.send(
        "GET " + entity() + " HTTP/1.1\r\n" + HOST + "X: " + "x".repeat(9 << 10) + "\r\n\r\n");
    assertProblem(header.read(), 431, "header-too-large");
    assertThat(header.isClosedByNode()).isTrue();
  }

  @Test
  void survivesRandomBytes() throws IOException {
    Random random = Seeds.random();
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(400)];
      random.nextBytes(bytes);
      try (RawConnection connection = new RawConnection(NODE)) {
        connection.send(i % 2 == 0 ? "GET /v0/entity?id=" : "");
        connection.send(bytes).send("\r\n\r\n");
      } catch (IOException e) {
        // Hung up before all was sent.
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\nzz\r\n\r\n",
        "5\r\nhello\r\n-5\r\n\r\n",
        "5\r\nhello\r\n0\r\nbad trailer\r\n\r\n",
      })
  void storesNothingOfAValueWhoseChunksAreBroken(String body) throws IOException {
    NODE.client().put(key, "old");
    RawConnection connection = connect();
    connection.send(
        "PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n" + body);
    assertProblem(connection.read(), 400, "malformed-request");
    assertThat(connection.isClosedByNode()).isTrue();
    assertThat(Client.text(NODE.client().get(key, "&ack=3"))).isEqualTo("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity", "xchunked", "gzip, chunked", "chunked, chunked"})
  void takesNoBodyInACodingThatItDoesNotKnow(String coding) throws IOException {
    RawConnection connection = connect();
    String head = " HTTP/1.1\r\n" + HOST;
    String smuggled = "PUT " + entity() + "-smuggled" + head + "Content-Length: 1\r\n\r\nx";
    connection.send(
        "PUT " + entity() + head + "Transfer-Encoding: " + coding + "\r\n\r\n" + smuggled);
    assertProblem(connection.read(), 400, "malformed-request");
    assertThat(connection.isClosedByNode()).isTrue();
    assertThat(NODE.client().get(key).statusCode()).isEqualTo(404);
    assertThat(NODE.client().get(key + "-smuggled").statusCode()).isEqualTo(404);
  }

  @Test
  void readsNoMoreOfARejectedBodyThanItsBound() throws IOException {
    RawConnection connection = connect();
    connection.send("PUT /v0/entity?id= HTTP/1.1\r\n" + HOST + "Content-Length: 104857600\r\n\r\n");
    assertProblem(connection.read(), 400, "missing-id");
    byte[] part = new byte[1 << 20];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                connection.send(part);
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void callsAnUnknownPathOneToBrowsersToo() throws IOException {
    RawConnection connection = connect();
    connection.send(
        "OPTIONS /nope HTTP/1.1\r\n"
            + HOST
            + "Origin: http://x\r\nAccess-Control-Request-Method: GET\r\n\r\n");
    assertProblem(connection.read(), 400, "unknown-path");
  }

  @Test
  void sendsNoChunksToAClientThatDoesNotKnowThem() throws IOException {
    NODE.client().put(key, "value");
    RawConnection connection = connect();
    connection.send("GET /v0/entities?start=" + key + "&limit=1 HTTP/1.0\r\n\r\n");
    Response response = connection.read();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).doesNotContainKey("transfer-encoding");
    assertThat(response.text()).isEqualTo(key + "\nvalue");
  }

  @Test
  void storesNothingOfAValueWhoseClientIsGone() throws IOException {
    NODE.client().put(key, "old");
    for (int i = 0; i < 10; i++) {
      RawConnection connection = connect();
      connection.send(
          "PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 1000\r\n\r\nhalf of");
      if (i % 2 == 0) {
        connection.reset();
      } else {
        connection.close();
      }
      connection = connect();
      connection.send(
          "PUT "
              + entity()
              + " HTTP/1.1\r\n"
              + HOST
              + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
      connection.close();
    }
    assertThat(Client.text(NODE.client().get(key, "&ack=3"))).isEqualTo("old");
    assertThat(NODE.log()).doesNotContain("A request failed");
  }

  @Test
  void givesASlowClientItsTimeAndNoMore() throws IOException {
    RawConnection slow = connect();
    slow.send("PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 30\r\n\r\n");
    for (int i = 0; i < 30; i++) {
      assertThat(NODE.client().get(key).statusCode()).isEqualTo(404);
      slow.send("x");
    }
    assertThat(slow.read().status()).isEqualTo(201);
    assertUsable(slow);

    RawConnection stuck = connect();
    stuck.send("PUT " + entity() + "-2 HTTP/1.1\r\n" + HOST + "Content-Length: 30\r\n\r\nx");
    assertProblem(stuck.read(), 408, "body-timed-out");
    assertThat(stuck.isClosedByNode()).isTrue();
  }

  @Test
  void servesOthersWhileManyClientsNeverFinishTheirValues() throws IOException {
    List<RawConnection> stuck = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      RawConnection connection = connect();
      stuck.add(connection);
      connection.send("PUT " + entity() + " HTTP/1.1\r\n" + HOST + "Content-Length: 30\r\n\r\n");
    }
    List<Integer> statuses =
        IntStream.range(0, 20).mapToObj(i -> NODE.client().put(key + i, "v").statusCode()).toList();
    assertThat(statuses).containsOnly(201);
    assertThat(stuck.getLast().read().status()).isEqualTo(408);
  }
}
