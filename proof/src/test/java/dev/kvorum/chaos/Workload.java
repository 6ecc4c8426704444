package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.NodeProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Clients that write, read and delete a few hundred keys, some of them hot, at a steady rate, and
 * one for each node that reads ranges of them.
 *
 * <p>Each has a node of its own that it asks most of the time, so that a node that hangs holds up
 * few of them; every tenth request goes to any node.
 */
final class Workload implements AutoCloseable {
  /** Longest time to live of what is written with one. */
  static final long TTL_MILLIS_MAX = 4_000;

  private static final long TTL_MILLIS_MIN = 300;
  private static final int CLIENTS_PER_NODE = 8;
  private static final int HOT_KEYS = 8;
  private static final int RANGE_KEYS_MAX = 60;
  private static final long RANGE_PAUSE_MILLIS = 1_000;

  private final Cluster cluster;
  private final ChaosSettings settings;
  private final Recorder recorder;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  Workload(Cluster cluster, ChaosSettings settings, Recorder recorder) {
    this.cluster = cluster;
    this.settings = settings;
    this.recorder = recorder;
  }

  /** Starts the clients. */
  void start() {
    SplittableRandom seeds = new SplittableRandom(settings.seed());
    int clients = CLIENTS_PER_NODE * settings.nodes();
    int replicas = Math.min(3, settings.nodes());
    for (int i = 0; i < clients; i++) {
      LoadClient client = new LoadClient("c" + i, replicas, recorder);
      NodeProcess home = cluster.nodes().get(i % settings.nodes());
      SplittableRandom random = seeds.split();
      long pauseNanos = TimeUnit.SECONDS.toNanos(clients) / settings.rate();
      threads.add(Thread.ofVirtual().start(() -> load(client, home, random, pauseNanos)));
    }
    for (NodeProcess node : cluster.nodes()) {
      RangeClient client = new RangeClient("r-" + node.name(), settings.keys(), recorder);
      SplittableRandom random = seeds.split();
      threads.add(Thread.ofVirtual().start(() -> readRanges(client, node, random)));
    }
  }

  private void readRanges(RangeClient client, NodeProcess node, SplittableRandom random) {
    try {
      while (!stop.await(random.nextLong(2 * RANGE_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
        // The hot ones in half of them.
        int first = random.nextBoolean() ? 0 : random.nextInt(settings.keys());
        client.read(node, first, 1 + random.nextInt(RANGE_KEYS_MAX));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A key's name by its number. */
  static String key(int number) {
    return "chaos-%04d".formatted(number);
  }

  private void load(LoadClient client, NodeProcess home, SplittableRandom random, long pauseNanos) {
    try {
      while (!stop.await(random.nextLong(2 * pauseNanos), TimeUnit.NANOSECONDS)) {
        operate(client, home, random);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void operate(LoadClient client, NodeProcess home, SplittableRandom random) {
    boolean strays = random.nextInt(10) == 0;
    NodeProcess node = strays ? cluster.nodes().get(random.nextInt(settings.nodes())) : home;
    boolean hot = random.nextInt(4) == 0;
    String key = key(random.nextInt(hot ? HOT_KEYS : settings.keys()));
    boolean all = random.nextInt(10) == 0;
    int dice = random.nextInt(100);
    if (dice < 45) {
      client.get(node, key, all);
    } else if (dice < 82) {
      client.put(node, key, all, 0);
    } else if (dice < 90) {
      client.put(node, key, all, random.nextLong(TTL_MILLIS_MIN, TTL_MILLIS_MAX));
    } else {
      client.delete(node, key, all);
    }
  }

  /** Ends all clients after the request that each is at. */
  @Override
  public void close() {
    stop.countDown();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
