package dev.kvorum.blackbox;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Clients that write unique values to all nodes in turn and record what was acknowledged. */
final class Writers {
  private static final long GONE_NANOS = 5_000_000;

  private final Cluster cluster;
  private final String prefix;
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  private final Queue<String> odd = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads;
  private volatile boolean stopped;

  Writers(Cluster cluster, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.threads =
        IntStream.range(0, 6).mapToObj(i -> Thread.ofVirtual().start(() -> write(i))).toList();
  }

  private void write(int writer) {
    for (int i = 0; !stopped; i++) {
      String key = prefix + "-" + writer + "-" + i;
      NodeProcess node = cluster.node((writer + i) % 3);
      try {
        HttpResponse<byte[]> answer = node.client().put(key, "value of " + key);
        if (answer.statusCode() == 201) {
          acknowledged.put(key, "value of " + key);
        } else if (answer.statusCode() != 503
            || answer.headers().map().get("retry-after") == null) {
          odd.add(answer.statusCode() + " of " + node.name() + ": " + Client.text(answer));
        }
      } catch (UncheckedIOException e) {
        // The node is gone: neither acknowledged nor rejected.
        LockSupport.parkNanos(GONE_NANOS);
      }
    }
  }

  /** Waits until so many more writes are acknowledged. */
  void awaitAcknowledged(int more) {
    int goal = acknowledged.size() + more;
    Awaitility.await(more + " acknowledged writes")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> acknowledged.size() >= goal);
  }

  /** Key and value of what is acknowledged by now. */
  Map<String, String> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  /** Ends the writing; key and value of all that was acknowledged. */
  Map<String, String> stop() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return new HashMap<>(acknowledged);
  }

  /** Answers that were neither an acknowledgement nor a request to try later. */
  Queue<String> odd() {
    return odd;
  }
}
