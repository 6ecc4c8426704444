package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.chaos.history.Bounds;
import dev.kvorum.chaos.history.History;
import dev.kvorum.chaos.history.HistoryChecker;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Violation;
import dev.kvorum.chaos.history.Violation.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** One run: a cluster, clients, faults, a quiet end, and the verdict. */
final class ChaosRun {
  private static final long PROGRESS_SECONDS = 10;

  /** After it, everything written with a time to live has expired by any clock. */
  private static final Duration QUIET = Duration.ofMillis(Workload.TTL_MILLIS_MAX + 4_000);

  private static final Duration PEACE = Duration.ofNanos(Availability.SETTLED_NANOS).plusSeconds(3);

  private final ChaosSettings settings;
  private final Path directory;
  private final List<Violation> violations = new ArrayList<>();

  /**
   * A run.
   *
   * @param directory for the nodes' data and logs, the history and the report
   */
  ChaosRun(ChaosSettings settings, Path directory) {
    this.settings = settings;
    this.directory = directory;
  }

  /** Blocks until all is over and written down, and all nodes are gone. */
  Report run() throws IOException, InterruptedException {
    Files.createDirectories(directory);
    print("seed " + settings.seed() + "; " + settings.command() + "; all is kept in " + directory);
    Network network = Network.open(settings.nodes());
    if (!network.skipped().isEmpty()) {
      print("skipped: " + network.skipped());
    }
    try (network;
        Cluster cluster = new Cluster(directory, network.places(), Map.of())) {
      Recorder recorder = new Recorder();
      Nemesis nemesis = new Nemesis(settings, cluster, network, recorder);
      rage(cluster, nemesis, recorder);
      long peaceEnded = recorder.nowNanos();
      print("the faults are over; " + recorder.counts());
      String endState = awaitEndState(cluster, recorder);
      Report report = judge(cluster, network, nemesis, recorder.history(), peaceEnded, endState);
      write(report, recorder.history());
      return report;
    }
  }

  private void rage(Cluster cluster, Nemesis nemesis, Recorder recorder)
      throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Thread progress = Thread.ofVirtual().start(() -> printProgress(over, nemesis, recorder));
    try (Workload workload = new Workload(cluster, settings, recorder)) {
      workload.start();
      nemesis.rage(settings.duration());
      // In which all requests must succeed.
      Thread.sleep(PEACE);
    } catch (ConditionTimeoutException | TerminalFailureException e) {
      violations.add(
          new Violation(Rule.NOT_COMPLETE, "", nemesis.doing() + ": " + e.getMessage(), List.of()));
    } finally {
      over.countDown();
      progress.join();
    }
  }

  private void printProgress(CountDownLatch over, Nemesis nemesis, Recorder recorder) {
    try {
      while (!over.await(PROGRESS_SECONDS, TimeUnit.SECONDS)) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(recorder.nowNanos());
        print("%4d s %s; %s".formatted(seconds, recorder.counts(), nemesis.doing()));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String awaitEndState(Cluster cluster, Recorder recorder) throws InterruptedException {
    if (!violations.isEmpty()) {
      return "nothing, since the cluster did not recover";
    }
    try {
      cluster.awaitHintsDelivered();
    } catch (ConditionTimeoutException e) {
      violations.add(new Violation(Rule.HINTS_LEFT, "", String.valueOf(e.getMessage()), List.of()));
    }
    Thread.sleep(QUIET);
    EndState end = EndState.of(cluster, settings, recorder);
    violations.addAll(end.differences());
    return end.what();
  }

  private Report judge(
      Cluster cluster,
      Network network,
      Nemesis nemesis,
      History history,
      long peaceEndedNanos,
      String endState) {
    violations.addAll(new HistoryChecker(Bounds.DEFAULT).check(history));
    List<Operation> requests =
        history.operations().stream().filter(o -> o.kind() != Kind.RANGE).toList();
    violations.addAll(Availability.violations(requests, nemesis.episodes(), peaceEndedNanos));
    Map<Integer, Long> statuses =
        requests.stream().collect(Collectors.groupingBy(Operation::status, Collectors.counting()));
    return new Report(
        settings,
        network.skipped(),
        requests.stream().collect(Collectors.toMap(Operation::outcome, o -> 1, Integer::sum)),
        statuses,
        history.operations().stream()
            .filter(o -> o.kind() == Kind.RANGE)
            .collect(Collectors.toMap(Operation::outcome, o -> 1, Integer::sum)),
        nemesis.episodes(),
        Figures.of(history.operations(), nemesis.episodes()),
        endState,
        cluster.nodes().stream()
            .flatMap(node -> node.log().lines())
            .filter(line -> line.contains(" ERROR "))
            .count(),
        violations);
  }

  private void write(Report report, History history) throws IOException {
    history.write(directory.resolve("history.tsv"));
    String timeline = "\n## What was done when\n\n```\n" + report.timeline() + "\n```\n";
    Files.writeString(directory.resolve("report.md"), "# Chaos\n\n" + report + timeline);
  }

  /** Removes the nodes' data of a run that has shown nothing; logs, history and report stay. */
  void clean() {
    for (String node : Cluster.names(settings.nodes())) {
      NodeProcess.wipe(directory.resolve(node));
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }
}
