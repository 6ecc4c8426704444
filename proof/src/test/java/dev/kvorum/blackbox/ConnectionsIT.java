package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that has little patience with connections and takes few of them. */
@ExtendWith(PrintsNodeLogs.class)
class ConnectionsIT {
  private static final int CONNECTIONS_MAX = 24;
  private static final int PIPELINED_MAX = 150;
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(1);
  private static final String GET = "GET /v0/entity?id=k HTTP/1.1\r\nHost: k\r\n";
  private static final String REJECTED = "Rejected a connection";

  @TempDir private static Path directory;
  private static NodeProcess node;

  private final List<RawConnection> opened = new ArrayList<>();

  @BeforeAll
  static void start() {
    Map<String, String> settings =
        Map.of(
            "kvorum.limits.connections-max",
            Integer.toString(CONNECTIONS_MAX),
            "kvorum.limits.pipelined-requests-max",
            Integer.toString(PIPELINED_MAX),
            "kvorum.limits.idle-timeout",
            IDLE_TIMEOUT.toMillis() + "ms",
            "kvorum.limits.body-timeout",
            "60s");
    node = new NodeProcess("strict", directory, Ports.free(), settings).launch().awaitReady();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void hangUp() throws IOException {
    for (RawConnection connection : opened) {
      connection.close();
    }
    await("connections are taken again").until(this::isServed);
    assertThat(node.log()).doesNotContain("\tat ");
  }

  private static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50));
  }

  private RawConnection connect() throws IOException {
    RawConnection connection = new RawConnection(node);
    opened.add(connection);
    return connection;
  }

  private boolean isServed() {
    try (RawConnection connection = new RawConnection(node)) {
      return connection.send(GET + "\r\n").read().status() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isCutOff(RawConnection connection, String more) {
    try {
      connection.send(more);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void closesAConnectionThatAsksForNothing() throws IOException {
    long start = System.nanoTime();
    assertThat(connect().isClosedByNode()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(IDLE_TIMEOUT);

    RawConnection asked = connect();
    assertThat(asked.send(GET + "\r\n").read().status()).isEqualTo(404);
    start = System.nanoTime();
    assertThat(asked.isClosedByNode()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(IDLE_TIMEOUT.minusMillis(100));
  }

  @Test
  void closesAConnectionWhoseHeaderNeverEnds() throws IOException {
    RawConnection slow = connect().send(GET);
    await("the slow client is cut off").until(() -> isCutOff(slow, "X: y\r\n"));
  }

  @Test
  void keepsAConnectionThatAsksNowAndThen() throws IOException {
    RawConnection busy = connect();
    await("it is served for four idle timeouts")
        .during(IDLE_TIMEOUT.multipliedBy(4))
        .pollInterval(IDLE_TIMEOUT.dividedBy(4))
        .until(() -> busy.send(GET + "\r\n").read().status() == 404);
  }

  @Test
  void keepsAConnectionWhoseValueIsStillToCome() throws IOException {
    RawConnection slow = connect();
    slow.send("PUT /v0/entity?id=slow HTTP/1.1\r\nHost: k\r\nContent-Length: 14\r\n\r\n");
    RawConnection idle = connect();
    assertThat(idle.isClosedByNode()).isTrue();
    assertThat(slow.send("as good as any").read().status()).isEqualTo(201);
  }

  @Test
  void closesAConnectionWhoseAnswersAreNotTaken() throws IOException {
    assertThat(node.client().put("large", new byte[1 << 20], "").statusCode()).isEqualTo(201);
    RawConnection deaf = connect();
    String get = "GET /v0/entity?id=large HTTP/1.1\r\nHost: k\r\n\r\n";
    deaf.send(get.repeat(100));
    await("the deaf client is cut off").until(() -> isCutOff(deaf, get));
  }

  @Test
  void closesAConnectionWithTooManyRequestsAtATime() throws IOException {
    RawConnection patient = connect();
    patient.send((GET + "\r\n").repeat(PIPELINED_MAX));
    for (int i = 0; i < PIPELINED_MAX; i++) {
      assertThat(patient.read().status()).isEqualTo(404);
    }
    RawConnection greedy = connect();
    greedy.send((GET + "\r\n").repeat(2 * PIPELINED_MAX));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2 * PIPELINED_MAX; i++) {
                greedy.read();
              }
            })
        .isInstanceOfAny(EOFException.class, SocketException.class);
  }

  @Test
  void acceptsNoMoreConnectionsThanItsBoundAndLogsItOnceASecond() throws IOException {
    long start = System.nanoTime();
    int taken = 0;
    for (int i = 0; i < 4 * CONNECTIONS_MAX; i++) {
      taken += isTaken(connect()) ? 1 : 0;
    }
    assertThat(taken).isBetween(CONNECTIONS_MAX / 2, CONNECTIONS_MAX);
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    assertThat(node.log().lines().filter(line -> line.contains(REJECTED)).count())
        .isBetween(1L, seconds + 2);
    assertThat(isServed()).isFalse();
    assertThat(node.management().path("/actuator/health").statusCode()).isEqualTo(200);

    opened.getFirst().close();
    await("there is room for one").until(this::isServed);
  }

  /** Whether a request is begun on it; it is not ended, so that the connection stays. */
  private static boolean isTaken(RawConnection connection) {
    try {
      connection.send("PUT /v0/entity?id=held HTTP/1.1\r\nHost: k\r\nContent-Length: 4\r\n");
      return connection.send("Expect: 100-continue\r\n\r\n").read().status() == 100;
    } catch (IOException e) {
      return false;
    }
  }
}
