package dev.kvorum.blackbox;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A few clients that put and get at a low rate, and record the outcome of each request. */
final class PacedClients implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final int KEYS = 20;
  private static final long PERIOD_MILLIS = 20;

  private final String prefix;
  private final List<NodeProcess> nodes;
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS);

  /**
   * How a request went.
   *
   * @param sentNanos when, by the clock of {@link System#nanoTime}
   * @param failure what came in place of the usual answer, or nothing
   */
  record Sample(long sentNanos, Duration took, String failure) {
    boolean isWithin(long sinceNanos, Duration from, Duration to) {
      long after = sentNanos - sinceNanos;
      return after >= from.toNanos() && after < to.toNanos();
    }
  }

  /** Begins to ask these nodes in turn, with the default quorum. */
  PacedClients(String prefix, List<NodeProcess> nodes) {
    this.prefix = prefix;
    this.nodes = nodes;
    for (int key = 0; key < KEYS; key++) {
      nodes.getFirst().client().put(prefix + key, "first");
    }
    for (int i = 0; i < CLIENTS; i++) {
      Turn turn = new Turn(i);
      long offset = i * PERIOD_MILLIS / CLIENTS;
      threads.scheduleAtFixedRate(turn, offset, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private final class Turn implements Runnable {
    private int number;

    Turn(int first) {
      this.number = first;
    }

    @Override
    public void run() {
      number++;
      Client client = nodes.get(number % nodes.size()).client();
      String key = prefix + number % KEYS;
      boolean put = number / nodes.size() % 2 == 0;
      long start = System.nanoTime();
      String failure = "";
      try {
        var answer = put ? client.put(key, "value " + number) : client.get(key);
        if (answer.statusCode() != (put ? 201 : 200)) {
          failure = answer.statusCode() + " " + Client.text(answer);
        }
      } catch (UncheckedIOException e) {
        failure = e.toString();
      }
      samples.add(new Sample(start, Duration.ofNanos(System.nanoTime() - start), failure));
    }
  }

  /** How the requests of a time went, quickest first. */
  List<Sample> samples(long sinceNanos, Duration from, Duration to) {
    return samples.stream()
        .filter(sample -> sample.isWithin(sinceNanos, from, to))
        .sorted((a, b) -> a.took().compareTo(b.took()))
        .toList();
  }

  @Override
  public void close() {
    threads.close();
  }
}
