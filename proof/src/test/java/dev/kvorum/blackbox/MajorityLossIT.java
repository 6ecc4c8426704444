package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Members are lost until any number of them is left, also a minority. Each live member answers by
 * what the live ones can confirm: it succeeds for an {@code ack} up to their number and returns 504
 * beyond it, never 503. Here all members are replicas of all keys.
 *
 * <p>This holds from the first request after the loss on, and the failure detector does not matter
 * to it: a write goes to all replicas at once, and a read that waits for a paused member is hedged.
 * Only a 504 comes later, at the request's timeout, until a paused member is suspect.
 */
@ExtendWith(PrintsNodeLogs.class)
class MajorityLossIT {
  /** Before a paused member is suspect; once the last mark of a clock without peers has passed. */
  private static final List<Duration> SOON = List.of(Duration.ofMillis(500), Duration.ofSeconds(3));

  private static final List<Duration> AT_ONCE = SOON.subList(0, 1);

  /** The last two only where the live ones are no majority of some cluster. */
  private static final List<Duration> FOR_LONG =
      Stream.concat(SOON.stream(), Stream.of(Duration.ofSeconds(8), Duration.ofSeconds(20)))
          .toList();

  private static final Map<Integer, Cluster> CLUSTERS = new ConcurrentHashMap<>();
  @TempDir private static Path directory;

  private final String prefix = "loss-" + Seeds.uuid() + "-";

  /** What happens to the lost members. */
  enum Loss {
    KILLED,
    PAUSED,
    /** The others are killed too, and are started again. */
    KILLED_WITH_ALL
  }

  private record Check(String request, int expected, Supplier<HttpResponse<byte[]>> answer) {}

  @AfterAll
  static void stop() {
    CLUSTERS.values().forEach(Cluster::close);
  }

  @Test
  void anyNumberOfFiveServesAsMembersAreKilledOneByOne() {
    List<Cluster> five = complete(List.of(5));
    for (int live = 4; live > 0; live--) {
      assertServed(five, live, Loss.KILLED, live > 2 ? AT_ONCE : SOON);
    }
  }

  @Test
  void aNodeThatStartsBesideAPausedOneNamesWhatItWaitsForAndServes() {
    Cluster two = complete(2);
    NodeProcess starting = two.node(0);
    lose(two, 1, Loss.PAUSED);
    starting.kill();
    starting.set("kvorum.limits.startup-peers", "8s").launch();
    List<HttpResponse<byte[]>> answers = new ArrayList<>();
    Awaitility.await("it serves alone")
        .atMost(NodeProcess.STARTUP_MAX)
        .pollInterval(Duration.ofMillis(50))
        .ignoreException(UncheckedIOException.class)
        .until(() -> {
          answers.add(starting.client().put(prefix, value(), parameters(two, 1)));
          return answers.getLast().statusCode() == 201;
        });
    assertThat(answers).hasSizeGreaterThan(1);
    answers.removeLast();
    assertThat(answers).allMatch(rejected -> rejected.statusCode() == 503);
    // After a quick start the first ones are rejected as ahead of the time.
    assertProblem(answers.getLast(), 503, "clock-not-ready");
    assertServed(List.of(two), 1, Loss.PAUSED, SOON);
  }

  @Tag("losses")
  @ParameterizedTest
  @EnumSource
  void anyNumberServesForLong(Loss loss) {
    for (int live = 4; live > 0; live--) {
      int left = live;
      List<Integer> sizes = Stream.of(2, 3, 5).filter(size -> size > left).toList();
      assertServed(complete(sizes), live, loss, live > 2 ? SOON : FOR_LONG);
    }
  }

  /** A cluster of each size with all its members, which all have one record. */
  private List<Cluster> complete(List<Integer> sizes) {
    return sizes.parallelStream().map(this::complete).toList();
  }

  private Cluster complete(int size) {
    Cluster cluster = CLUSTERS.computeIfAbsent(size, MajorityLossIT::start);
    cluster.nodes().stream().filter(NodeProcess::isRunning).forEach(NodeProcess::resume);
    cluster.launchStopped();
    cluster.awaitComplete();
    // The first request of five cold processes beside other builds may take longer than its
    // timeout.
    Awaitility.await("all members store a record")
        .atMost(NodeProcess.STARTUP_MAX)
        .pollDelay(Duration.ZERO)
        .until(
            () ->
                cluster
                    .node(0)
                    .client()
                    .put(prefix + "kept", value(), parameters(cluster, size))
                    .statusCode(),
            code -> code == 201);
    return cluster;
  }

  private static Cluster start(int size) {
    try {
      Path ofCluster = Files.createDirectory(directory.resolve("of-" + size));
      return new Cluster(ofCluster, Collections.nCopies(size, Place.LOCALHOST), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loses all but the first members of each cluster, and asks these at some times after it. */
  private void assertServed(List<Cluster> clusters, int live, Loss loss, List<Duration> times) {
    clusters.forEach(cluster -> lose(cluster, live, loss));
    long lostNanos = System.nanoTime();
    for (Duration time : times) {
      Awaitility.await(time + " after the loss")
          .atMost(time.plusSeconds(1))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> System.nanoTime() - lostNanos >= time.toNanos());
      List<Check> checks = new ArrayList<>();
      for (Cluster cluster : clusters) {
        for (NodeProcess node : cluster.nodes().subList(0, live)) {
          checks.addAll(checks(cluster, node, live, prefix + loss + time));
        }
      }
      assertThat(unexpected(checks)).as("%s, %d live, after %s", loss, live, time).isEmpty();
    }
  }

  private static void lose(Cluster cluster, int live, Loss loss) {
    List<NodeProcess> nodes = cluster.nodes();
    nodes.subList(loss == Loss.KILLED_WITH_ALL ? 0 : live, nodes.size()).parallelStream()
        .filter(NodeProcess::isRunning)
        .forEach(loss == Loss.PAUSED ? NodeProcess::pause : NodeProcess::kill);
    if (loss == Loss.KILLED_WITH_ALL) {
      nodes.subList(0, live).forEach(NodeProcess::launch);
      nodes.subList(0, live).forEach(NodeProcess::awaitReady);
    }
  }

  /** Requests to a live node with each {@code ack}, and what they are answered. */
  private List<Check> checks(Cluster cluster, NodeProcess node, int live, String key) {
    List<Check> checks = new ArrayList<>();
    Client client = node.client();
    for (int ack = 1; ack <= cluster.nodes().size(); ack++) {
      boolean enough = ack <= live;
      String parameters = parameters(cluster, ack);
      String at = " at " + node.name() + parameters;
      String own = key + live + at;
      checks.addAll(
          List.of(
              new Check("PUT" + at, enough ? 201 : 504, () -> client.put(own, value(), parameters)),
              new Check(
                  "GET" + at, enough ? 200 : 504, () -> client.get(prefix + "kept", parameters)),
              new Check(
                  "DELETE" + at,
                  enough ? 202 : 504,
                  () -> client.delete(own + "deleted", parameters))));
    }
    return checks;
  }

  private static String parameters(Cluster cluster, int ack) {
    return "&ack=" + ack + "&from=" + cluster.nodes().size();
  }

  private static byte[] value() {
    return "value".getBytes(StandardCharsets.UTF_8);
  }

  /** Sends all requests at once: many of them wait for the timeout. */
  private static List<String> unexpected(List<Check> checks) {
    List<String> unexpected = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpResponse<byte[]>>> answers =
          checks.stream().map(check -> clients.submit(check.answer::get)).toList();
      for (int i = 0; i < checks.size(); i++) {
        HttpResponse<byte[]> answer = answers.get(i).get();
        if (answer.statusCode() != checks.get(i).expected) {
          unexpected.add(
              checks.get(i).request + ": " + answer.statusCode() + " " + Client.text(answer));
        }
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return unexpected;
  }
}
