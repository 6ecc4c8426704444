package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.PacedClients.Sample;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** How long the clients of some nodes wait while another one is in trouble. */
public final class FaultLatency {
  private static final Duration BEFORE = Duration.ofSeconds(4);
  private static final Duration AFTER = Duration.ofSeconds(8);
  private static final Duration UNTIL_NOTHING_FAILS = Duration.ofSeconds(2);
  private static final Duration UNTIL_ALL_IS_QUICK = Duration.ofSeconds(1);

  /** Of a machine that may do other things as well; a quiet one stays far below. */
  private static final Duration QUICK = Duration.ofMillis(250);

  private FaultLatency() {}

  /** Puts load on nodes for a while: code that has not run yet is slow. */
  public static void warmUp(Cluster cluster) {
    try (PacedClients warm = new PacedClients("warm-", cluster.nodes())) {
      long begin = System.nanoTime();
      Awaitility.await("the nodes are warm")
          .atMost(Duration.ofSeconds(60))
          .until(() -> warm.samples(begin, Duration.ZERO, Duration.ofDays(1)).size() > 1000);
    }
  }

  /**
   * Asserts that requests stay quick through a fault, and prints how quick they were.
   *
   * @param nodes that are asked meanwhile
   */
  public static void assertQuickThrough(String what, List<NodeProcess> nodes, Runnable fault) {
    DiskStalls stalls = new DiskStalls();
    PacedClients clients = new PacedClients("latency-", nodes);
    long broken;
    // Closing waits for the last answers: a request that hangs counts as well.
    try (stalls;
        clients) {
      awaitPast(System.nanoTime(), BEFORE);
      broken = System.nanoTime();
      fault.run();
      awaitPast(broken, AFTER);
    }
    List<Sample> before = clients.samples(broken, BEFORE.negated(), Duration.ZERO);
    List<Sample> after = clients.samples(broken, UNTIL_ALL_IS_QUICK, AFTER);
    print(what, "before", before);
    print(what, "first second after", clients.samples(broken, Duration.ZERO, UNTIL_ALL_IS_QUICK));
    print(what, "from the second second on", after);
    System.out.printf("%s: longest sync %d ms%n", what, stalls.longest().toMillis());
    assertThat(before).hasSizeGreaterThan(100).allMatch(sample -> sample.failure().isEmpty());
    assertThat(after).hasSizeGreaterThan(200);
    assertThat(clients.samples(broken, UNTIL_NOTHING_FAILS, AFTER))
        .as("requests from %s after %s on", UNTIL_NOTHING_FAILS, what)
        .allMatch(sample -> sample.failure().isEmpty());
    assertThat(after.getLast().took())
        .as("the slowest request from %s after %s on", UNTIL_ALL_IS_QUICK, what)
        .isLessThan(bound(before.getLast().took(), stalls.longest()));
  }

  /** What holds requests up without any fault does so after one too. */
  private static Duration bound(Duration slowestBefore, Duration longestSync) {
    Duration held = slowestBefore.multipliedBy(2);
    return (held.compareTo(QUICK) > 0 ? held : QUICK).plus(longestSync);
  }

  private static void awaitPast(long sinceNanos, Duration time) {
    Awaitility.await()
        .atMost(time.multipliedBy(3))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> System.nanoTime() - sinceNanos >= time.toNanos());
  }

  private static void print(String what, String when, List<Sample> sorted) {
    int size = sorted.size();
    System.out.printf(
        "%s, %s: %d requests, %d failed, p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
        what,
        when,
        size,
        sorted.stream().filter(sample -> !sample.failure().isEmpty()).count(),
        millis(sorted, size / 2),
        millis(sorted, size * 99 / 100),
        millis(sorted, size - 1));
  }

  private static double millis(List<Sample> sorted, int index) {
    return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, index)).took().toNanos() / 1e6;
  }
}
