package dev.kvorum.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One cluster for all tests that leave its nodes alone; it ends with the tests' process. */
final class SharedCluster {
  private static @Nullable Cluster cluster;

  private SharedCluster() {}

  static synchronized Cluster get() {
    if (cluster == null) {
      cluster = start();
    }
    return cluster;
  }

  private static Cluster start() {
    try {
      Path directory = Files.createTempDirectory("kvorum-blackbox");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(directory)));
      return new Cluster(
          directory,
          Map.of("kvorum.limits.body-timeout", "2s", "kvorum.limits.discard-max", "4MB"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static synchronized void end(Path directory) {
    if (cluster != null) {
      cluster.close();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }
}
