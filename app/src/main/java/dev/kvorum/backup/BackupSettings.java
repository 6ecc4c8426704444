package dev.kvorum.backup;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.backup.*}: this node's part in backups.
 *
 * @param stores where backups may be ordered to, separated by commas: a scheme ({@code file:},
 *     {@code s3:}), or a URL and what is below it; empty: nowhere
 * @param secretsDir directory of the files {@code AWS_ACCESS_KEY_ID}, {@code
 *     AWS_SECRET_ACCESS_KEY}, {@code AWS_SESSION_TOKEN} and {@code backup.key}, for orders without
 *     secrets; empty: the node's environment
 * @param rateMax bytes per second that are read and sent, 1 KB to 64 GB; halved while reads are
 *     slow
 * @param latencyMax p95 of reads from other members above which the rate is halved
 * @param uploads files that are uploaded at a time, 1 to 64
 * @param pinMax share of the disk in deleted files that a checkpoint keeps, at which the backup is
 *     given up; more than 0 and up to 1
 * @param restoreWindow records of a restore at a time, 1 to 65536
 * @param retryFor how long a request to the object store is repeated
 */
public record BackupSettings(
    @DefaultValue("file:,s3:") String stores,
    @DefaultValue("") String secretsDir,
    @DefaultValue("32MB") DataSize rateMax,
    @DefaultValue("50ms") Duration latencyMax,
    @DefaultValue("2") int uploads,
    @DefaultValue("0.1") double pinMax,
    @DefaultValue("1024") int restoreWindow,
    @DefaultValue("5m") Duration retryFor) {
  public BackupSettings {
    Bounds.bytes("kvorum.backup.rate-max", rateMax.toBytes(), 1 << 10, 1L << 36);
    Bounds.positive("kvorum.backup.latency-max", latencyMax);
    Bounds.between("kvorum.backup.uploads", uploads, 1, 64);
    if (!(pinMax > 0 && pinMax <= 1)) {
      throw new IllegalArgumentException(
          "kvorum.backup.pin-max must be more than 0 and up to 1, not " + pinMax);
    }
    Bounds.between("kvorum.backup.restore-window", restoreWindow, 1, 1 << 16);
    Bounds.positive("kvorum.backup.retry-for", retryFor);
  }

  /** {@code rateMax} in bytes per second. */
  public long bytesPerSecondMax() {
    return rateMax.toBytes();
  }

  /** Returns whether backups may be ordered to this URL. */
  boolean permits(String url) {
    return Stream.of(stores.split(",", -1))
        .map(String::strip)
        .anyMatch(permitted -> !permitted.isEmpty() && isWithin(url, permitted));
  }

  /** A scheme permits all of its URLs, a URL those of directories below with equal parameters. */
  private static boolean isWithin(String url, String permitted) {
    if (permitted.endsWith(":")) {
      return url.startsWith(permitted);
    }
    String directory = path(permitted).replaceAll("/+$", "");
    return (path(url) + "/").startsWith(directory + "/")
        && url.substring(path(url).length()).equals(permitted.substring(path(permitted).length()));
  }

  private static String path(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }
}
