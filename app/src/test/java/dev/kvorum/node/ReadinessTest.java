package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.replica.Transport;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a node that has just been started reports that it is ready. */
class ReadinessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LONG_ENOUGH = Duration.ofMillis(700);
  private static final int LOOPS = 3;
  private static final MemberId N0 = new MemberId("n0");
  private static final MemberId N1 = new MemberId("n1");

  @TempDir private Path directory;
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @AfterEach
  void stop() {
    cluster.stopAll();
  }

  private void begin() {
    cluster = new LocalCluster(directory, 2);
    cluster.set("kvorum.node.event-loops", Integer.toString(LOOPS));
    cluster.set("kvorum.rpc.reconnect-max", "100ms");
  }

  /**
   * The first node of a new cluster cannot determine before its timeout whether it lost its disk.
   */
  private Node startFirst() {
    cluster.set("kvorum.limits.startup-peers", "200ms");
    Node first = cluster.start(0);
    assertThat(first.ready()).succeedsWithin(TIMEOUT);
    cluster.set("kvorum.limits.startup-peers", "1m");
    return first;
  }

  private Transport loopContext(Node node, int index) {
    return node.core().loopContexts().get(index).transport();
  }

  private static void awaitComplete(Node node) {
    assertThat(node.core().repair().complete()).succeedsWithin(TIMEOUT);
  }

  private void staysUnready(Node node) {
    await().atMost(TIMEOUT).during(LONG_ENOUGH).until(() -> !node.ready().isDone());
  }

  /** A key whose first replica is another member. */
  private static Key keyOf(Node node, MemberId first) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> Key.of("key-" + i))
        .filter(key -> node.core().layout().writes(key, 1).replicas().getFirst().equals(first))
        .findFirst()
        .orElseThrow();
  }

  /** Each event loop has a write stored on the other node, and none has to retry. */
  private static void assertReaches(Node node, MemberId other) {
    for (int loop = 0; loop < LOOPS; loop++) {
      Quorum one = new Quorum(1, 1);
      Key key = keyOf(node, other);
      assertThat(
              LocalCluster.on(
                  node, loop, it -> it.write(key, one, new Change.Put(new byte[1], 0), () -> {})))
          .as("from loop %d", loop)
          .succeedsWithin(TIMEOUT)
          .isInstanceOf(WriteOutcome.Acknowledged.class);
    }
  }

  @Test
  void aNodeIsReadyOnceEachOfItsEventLoopsHasReachedThePeersThatAcceptConnections() {
    begin();
    Node first = startFirst();
    Node second = cluster.prepare(1);
    CountDownLatch released = new CountDownLatch(1);
    try {
      second.loops().all().get(1).execute(() -> awaitUninterrupted(released));
      second.start();
      await().atMost(TIMEOUT).until(() -> loopContext(second, 0).isConnected(N0));
      await().atMost(TIMEOUT).until(() -> loopContext(second, 2).isConnected(N0));
      staysUnready(second);
      assertThat(loopContext(second, 1).isConnected(N0)).isFalse();
      released.countDown();
      assertThat(second.ready()).succeedsWithin(TIMEOUT);
      awaitComplete(first);
      assertReaches(second, N0);
      assertReaches(first, N1);
    } finally {
      released.countDown();
      second.close();
    }
  }

  @Test
  void aNodeIsReadyOnceThePeersThatItReachesHaveConnectedBack() throws Exception {
    begin();
    int detour = LocalCluster.freePorts(1).getFirst();
    cluster.set(
        "kvorum.cluster.peers", "n0=127.0.0.1:" + cluster.port(0) + ",n1=127.0.0.1:" + detour);
    try (Forwarder toSecond = new Forwarder(detour, cluster.port(1))) {
      Node first = startFirst();
      Node second = cluster.start(1);
      await()
          .atMost(TIMEOUT)
          .until(() ->
              IntStream.range(0, LOOPS).allMatch(i -> loopContext(second, i).isConnected(N0)));
      staysUnready(second);
      toSecond.open();
      assertThat(second.ready()).succeedsWithin(TIMEOUT);
      awaitComplete(first);
      assertReaches(first, N1);
      assertReaches(second, N0);
    }
  }

  @Test
  void aPeerThatCannotConnectBackIsWaitedForNoLongerThanTheBound() throws IOException {
    begin();
    int nowhere = LocalCluster.freePorts(1).getFirst();
    cluster.set(
        "kvorum.cluster.peers", "n0=127.0.0.1:" + cluster.port(0) + ",n1=127.0.0.1:" + nowhere);
    startFirst();
    cluster.set("kvorum.limits.startup-peers", "300ms");
    assertThat(cluster.start(1).ready()).succeedsWithin(TIMEOUT);
  }

  @Test
  void aPeerThatRejectsConnectionsIsNotWaitedFor() {
    begin();
    startFirst();
    assertThat(cluster.start(1).ready()).succeedsWithin(TIMEOUT);
    awaitComplete(cluster.node(0));
    cluster.stopAll();
    assertThat(cluster.start(0).ready()).succeedsWithin(TIMEOUT);
  }

  private static void awaitUninterrupted(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
