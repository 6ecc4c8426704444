package dev.kvorum.benchmark;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.rpc.MemoryStore;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * What the hop between two nodes costs by itself: reads of 100 bytes from a store in memory, over
 * loopback, through the frames of this project or through HTTP/1.1.
 *
 * <p>Client and server have an event loop each in this one process, so the CPU time is that of both
 * ends. As many requests are under way at a time either way: on one connection as frames, on as
 * many connections as there are requests with HTTP/1.1.
 */
final class HopBenchmark {
  private static final int VALUE_BYTES = 100;
  private static final int KEYS = 10_000;
  private static final int ROUNDS = 5;

  private HopBenchmark() {}

  /** A way to ask for a key, as seen from one event loop. */
  interface Hop extends AutoCloseable {
    /** Runs something on the client's loop. */
    void execute(Runnable work);

    /** Asks, on the loop; the answer, of so many bytes or -1 when it was none, comes there too. */
    void read(int key, Answer answer);

    @Override
    void close();
  }

  /** Who waits for a value. */
  @FunctionalInterface
  interface Answer {
    void of(int bytes);
  }

  /**
   * Measures.
   *
   * @param arguments {@code frames} or {@code http}, requests a round, requests under way
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException("usage: HopBenchmark frames|http REQUESTS UNDER_WAY");
    }
    int requests = Integer.parseInt(arguments[1]);
    int underWay = Integer.parseInt(arguments[2]);
    try (Hop hop = hop(arguments[0], underWay)) {
      System.out.printf("%s, %d requests, %d under way%n", arguments[0], requests, underWay);
      round(hop, "warm-up", requests, underWay);
      for (int i = 1; i <= ROUNDS; i++) {
        round(hop, "round " + i, requests, underWay);
      }
    }
  }

  private static Hop hop(String name, int underWay) {
    Key[] keys = IntStream.range(0, KEYS).mapToObj(i -> Key.of("key-" + i)).toArray(Key[]::new);
    MemoryStore store = new MemoryStore();
    for (Key key : keys) {
      store.put(
          key, Versioned.live(new Version(1L << 40, 1), Versioned.NEVER, 3, new byte[VALUE_BYTES]));
    }
    return switch (name) {
      case "frames" -> new FrameHop(store, keys, underWay);
      case "http" -> new HttpHop(store, keys, underWay);
      default -> throw new IllegalArgumentException(name + " is neither frames nor http");
    };
  }

  private static void round(Hop hop, String name, int requests, int underWay)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(underWay);
    AtomicLong failures = new AtomicLong();
    Chain chain = new Chain(hop, requests, done, failures);
    long cpuNanos = cpuNanos();
    long startNanos = System.nanoTime();
    hop.execute(() -> IntStream.range(0, underWay).forEach(i -> chain.next()));
    done.await();
    double tookNanos = System.nanoTime() - startNanos;
    double burntNanos = cpuNanos() - cpuNanos;
    System.out.printf(
        Locale.ROOT,
        "%s: %.0f requests/s, %.2f CPU us/request, %d failures%n",
        name,
        requests * 1e9 / tookNanos,
        burntNanos / 1e3 / requests,
        failures.get());
  }

  /** CPU time of all threads of this process. */
  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Requests each of which begins when one before it has been answered; on the client's loop. */
  private static final class Chain implements Answer {
    private final Hop hop;
    private final int requests;
    private final CountDownLatch done;
    private final AtomicLong failures;
    private int asked;

    Chain(Hop hop, int requests, CountDownLatch done, AtomicLong failures) {
      this.hop = hop;
      this.requests = requests;
      this.done = done;
      this.failures = failures;
    }

    void next() {
      if (asked < requests) {
        hop.read(asked++ % KEYS, this);
      } else {
        done.countDown();
      }
    }

    @Override
    public void of(int bytes) {
      if (bytes != VALUE_BYTES) {
        failures.incrementAndGet();
      }
      next();
    }
  }
}
