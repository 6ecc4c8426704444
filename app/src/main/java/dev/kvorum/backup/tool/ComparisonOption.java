package dev.kvorum.backup.tool;

import dev.kvorum.background.AdaptiveRateLimiter;
import dev.kvorum.backup.Pace;
import dev.kvorum.backup.comparison.ClusterRecords;
import dev.kvorum.backup.comparison.Comparison;
import dev.kvorum.backup.comparison.Deletions;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.cli.ApiClient;
import dev.kvorum.cli.ClientAccess;
import dev.kvorum.cli.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command compares a restored backup with the cluster that was backed up. */
final class ComparisonOption {
  private static final int PRINTED_MAX = 100;
  private static final int DELETIONS_MAX = 1000;
  private static final Duration RETRY_FOR = Duration.ofMinutes(1);

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:KVORUM_URL:-}",
      description =
          "addresses of public ports of the cluster that was backed up, separated by commas; default"
              + " $KVORUM_URL")
  private String url = "";

  @Mixin private final ClientAccess access = new ClientAccess();

  @Option(
      names = "--rate-max",
      paramLabel = "MB",
      defaultValue = "32",
      description = "megabytes a second that are read from that cluster; default 32")
  private int rateMax = 32;

  @Option(
      names = "--settled",
      paramLabel = "TIME",
      defaultValue = "PT1M",
      description =
          "what was written this long before the backup began has to be in it; writes after may not"
              + " have been acknowledged then; default PT1M")
  private Duration settled = Duration.ofMinutes(1);

  @Mixin private final TimeoutOption timeout = new TimeoutOption();

  ComparisonOption() {}

  /** Checks the options, before any work. */
  void check() {
    cluster();
    pace();
  }

  private ApiClient cluster() {
    if (url.isEmpty()) {
      throw KvorumBackup.wrong("--url of the cluster that was backed up is missing");
    }
    return client(url);
  }

  ApiClient client(String address) {
    return ApiClient.of(address, access.tls().orElse(null), access.token());
  }

  Duration timeout() {
    return timeout.value();
  }

  /**
   * Compares a backup, restored, with the cluster; returns what was compared.
   *
   * @param err gets the keys that differ wrongly
   */
  String compare(BackupManifest manifest, ApiClient restored, PrintWriter err)
      throws IOException, InterruptedException {
    ApiClient cluster = cluster();
    AtomicInteger printed = new AtomicInteger();
    Comparison comparison =
        new Comparison(
            manifest.began().minus(settled),
            InstantSource.system(),
            Deletions.ofCluster(cluster),
            DELETIONS_MAX,
            (key, difference) -> {
              if (printed.getAndIncrement() < PRINTED_MAX) {
                err.println(key + " " + difference.description());
              }
            });
    Pace pace = pace();
    try (ExecutorService worker = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> read =
          worker.submit(() -> {
            try (ClusterRecords of = new ClusterRecords(cluster, "", pace, RETRY_FOR);
                ClusterRecords copies = new ClusterRecords(restored, "", bytes -> {}, RETRY_FOR)) {
              comparison.run(of, copies);
            }
            return null;
          });
      await(read);
    }
    if (!comparison.differences().isEmpty()) {
      throw KvorumBackup.failed("Backup " + manifest.id() + " differs: " + wrong(comparison));
    }
    return "the same: "
        + comparison.same()
        + " keys, written since: "
        + comparison.written()
        + ", deleted or expired since: "
        + comparison.gone();
  }

  private void await(Future<?> read) throws IOException, InterruptedException {
    try {
      read.get(timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      read.cancel(true);
      throw KvorumBackup.failed("the comparison was not complete within " + timeout());
    } catch (InterruptedException e) {
      read.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      if (e.getCause() instanceof CommandException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Pace pace() {
    if (rateMax < 1) {
      throw KvorumBackup.wrong("--rate-max is " + rateMax + "; it must be 1 MB a second at least");
    }
    long rate = (long) rateMax << 20;
    // Never adapted: how long reads of members take is known to nodes only.
    AdaptiveRateLimiter limiter = new AdaptiveRateLimiter(rate, Long.MAX_VALUE);
    return bytes -> TimeUnit.NANOSECONDS.sleep(limiter.spend(bytes, System.nanoTime()));
  }

  private static String wrong(Comparison comparison) {
    return comparison.differences().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey().name().toLowerCase(Locale.ROOT) + ": " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
