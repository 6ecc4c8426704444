package dev.kvorum.verifier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The program. It sends requests to a cluster for a while, reports progress every few seconds, and
 * reads back everything that it wrote. Then each key must accept a write. It exits with 0 if every
 * guarantee was kept, 1 if one was violated, 2 if it could not begin.
 */
public final class Verifier {
  private static final Duration REPORT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Options options;
  private final Api api;
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  Verifier(Options options) {
    this.options = options;
    this.api = new Api(options.url(), options.trust(), options.token());
  }

  public static void main(String... arguments) throws InterruptedException {
    // Closes idle connections of a client that a reconnect has replaced.
    System.setProperty("jdk.httpclient.keepalive.timeout", "5");
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + Options.USAGE);
      System.exit(2);
      return;
    }
    System.exit(new Verifier(options).run());
  }

  int run() throws InterruptedException {
    String name = "workload-" + Long.toString(System.currentTimeMillis(), 36);
    Api.Answer first = firstWrite(name);
    if (!Client.isAcknowledged(first)) {
      print("inconclusive: no write was acknowledged within " + options.timeout());
      print("the last one was answered with " + Client.described(first));
      return 2;
    }
    if (first instanceof Api.Answer.Status(_, String version, _) && version.isEmpty()) {
      print("inconclusive: the response to a write has no ETag");
      return 2;
    }
    long begin = System.nanoTime();
    Tally tally = new Tally(begin + options.warmUp().toNanos());
    List<Client> clients = clients(name, begin, tally);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      clients.forEach(threads::submit);
      watch(begin, tally);
      over = true;
    }
    long end = System.nanoTime();
    String totals = tally.line(end);
    print("reading back all written keys");
    unavailable(afterLoad(clients, Client::readBack), "were not read");
    unavailable(afterLoad(clients, Client::writeOnceMore), "accepted no write");
    print("in all " + totals);
    tally.reasons().forEach(this::print);
    violations.forEach(this::print);
    return judge(tally, end);
  }

  private void print(String line) {
    System.out.println(line);
    options.report().ifPresent(file -> append(file, line));
  }

  private static void append(Path file, String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes until a write is acknowledged, and returns the last answer. 401 and 403 are no reason to
   * end: a user of Kubernetes takes effect some seconds after its token is there.
   */
  private Api.Answer firstWrite(String name) throws InterruptedException {
    long deadline = System.nanoTime() + options.timeout().toNanos();
    while (true) {
      Api.Answer answer = api.put(name, "first");
      if (Client.isAcknowledged(answer) || System.nanoTime() >= deadline) {
        return answer;
      }
      Thread.sleep(POLL);
    }
  }

  private List<Client> clients(String name, long begin, Tally tally) {
    List<Client> clients = new ArrayList<>();
    int each = Math.max(1, options.keys() / options.clients());
    double interval = 1e9 * options.clients() / options.rate();
    for (int i = 0; i < options.clients(); i++) {
      List<OwnKey> keys = new ArrayList<>();
      for (int k = 0; k < each; k++) {
        keys.add(new OwnKey(name + "-" + i + "-" + k));
      }
      Schedule schedule =
          new Schedule(
              begin + Math.round(interval * i / options.clients()),
              Math.round(interval),
              begin + options.warmUp().toNanos());
      Client.Pacer pacer = () -> awaitDue(schedule.next(System.nanoTime()));
      clients.add(new Client(api, keys, options, pacer, tally, violations));
    }
    return clients;
  }

  private OptionalLong awaitDue(long dueNanos) throws InterruptedException {
    long wait = dueNanos - System.nanoTime();
    if (wait > 0) {
      Thread.sleep(Duration.ofNanos(wait));
    }
    return over ? OptionalLong.empty() : OptionalLong.of(dueNanos);
  }

  private void watch(long begin, Tally tally) throws InterruptedException {
    long end = begin + options.warmUp().plus(options.time()).toNanos();
    // The first line marks the start of the measurement.
    long nextReport = begin + options.warmUp().toNanos();
    while (System.nanoTime() < end && options.until().filter(Files::exists).isEmpty()) {
      Thread.sleep(POLL);
      if (System.nanoTime() >= nextReport) {
        nextReport += REPORT.toNanos();
        api.reconnect();
        print(tally.line(System.nanoTime()));
      }
    }
  }

  /** What a client does with its keys before a deadline; returns the number that failed. */
  private interface Check {
    int failed(Client client, long deadlineNanos) throws InterruptedException;
  }

  private int afterLoad(List<Client> clients, Check check) throws InterruptedException {
    api.reconnect();
    long deadline = System.nanoTime() + options.timeout().toNanos();
    int failed = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      clients.forEach(client -> all.add(threads.submit(() -> check.failed(client, deadline))));
      for (Future<Integer> one : all) {
        failed += one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return failed;
  }

  /** A cluster that is left alone must answer again. */
  private void unavailable(int keys, String what) {
    if (keys > 0) {
      violations.add(
          "UNAVAILABLE: %d keys %s within %d s after the load"
              .formatted(keys, what, options.timeout().toSeconds()));
    }
  }

  private int judge(Tally tally, long endNanos) {
    boolean broken = !violations.isEmpty();
    if (tally.longestPauseNanos(endNanos) > options.pauseMax().toNanos()) {
      print("UNAVAILABLE: the longest pause is above --pause-max-seconds");
      broken = true;
    }
    if (tally.errorShare() > options.errorsMax()) {
      print("the share of errors is above --errors-max");
      broken = true;
    }
    if (options.errorsMax() < 1 && tally.hasOtherThanRetriable()) {
      print("there were errors that a client cannot retry");
      broken = true;
    }
    if (tally.p99Millis() > options.p99Max().toMillis()) {
      print("the 99th percentile is above --p99-max-millis");
      broken = true;
    }
    print(broken ? "FAILED" : "every acknowledged write was read back");
    return broken ? 1 : 0;
  }
}
