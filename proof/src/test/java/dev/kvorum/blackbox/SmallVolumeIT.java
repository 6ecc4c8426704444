package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.rocks.StoreFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A corrupted store and the one that takes its place do not fit on the volume together. */
@Tag("chaos")
@ExtendWith(PrintsNodeLogs.class)
class SmallVolumeIT {
  private static final int VOLUME_MB = 100;
  private static final int RECORDS = 3000;
  private static final int VALUE_BYTES = 20_000;
  private static final Duration SALVAGED_MAX = Duration.ofMinutes(2);

  // Little memory, so that most of the store is in tables.
  private static final Map<String, String> SETTINGS =
      Map.of(
          "kvorum.storage.memory", "16MB",
          "kvorum.storage.wal-max", "4MB",
          "kvorum.storage.disk-free-min", "10MB");

  private final RandomGenerator random = Seeds.random();
  private final long values = random.nextLong();

  private static String key(int number) {
    return "key-%05d".formatted(number);
  }

  /** Bytes that RocksDB cannot compress. */
  private byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(values + number).nextBytes(value);
    return value;
  }

  private static Path data(NodeProcess node) {
    return Path.of(node.setting("kvorum.data-dir"));
  }

  private static long megabytes(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.mapToLong(file -> file.toFile().length()).sum() >> 20;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSalvaging(NodeProcess node) {
    try (Stream<Path> all = Files.list(data(node))) {
      return all.anyMatch(store -> store.toString().endsWith(".corrupted"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(NodeProcess node) {
    node.terminate();
    node.awaitExit(Duration.ofSeconds(30));
  }

  private void flipABlock(Path store) {
    Path largest =
        StoreFiles.tables(store).stream()
            .max(Comparator.comparingLong(table -> table.toFile().length()))
            .orElseThrow();
    StoreFiles.flip(largest, random.nextLong(largest.toFile().length() / 2));
  }

  private void write(Cluster cluster) {
    for (int i = 0; i < RECORDS; i++) {
      Client client = cluster.node(i % 3).client();
      assertThat(client.put(key(i), value(i), "").statusCode()).as(key(i)).isEqualTo(201);
    }
    cluster.awaitHintsDelivered();
  }

  /**
   * Reads until the node has met its corrupted block. It must answer each read itself: one that may
   * do without it drops its own read, if that still waits for the disk.
   */
  private static void readUntilSetAside(NodeProcess node) {
    for (int i = 0; i < RECORDS && !isSetAside(node); i++) {
      node.client().get(key(i), "&ack=3&from=3");
    }
    Awaitility.await("set aside").atMost(SALVAGED_MAX).until(() -> isSetAside(node));
  }

  private static boolean isSetAside(NodeProcess node) {
    return node.log().contains("Salvaging the corrupted store");
  }

  /** Each record is the one that was written. */
  private void readAll(NodeProcess node) {
    for (int i = 0; i < RECORDS; i++) {
      int number = i;
      Awaitility.await(key(i))
          .atMost(Duration.ofSeconds(30))
          .pollDelay(Duration.ZERO)
          .until(() -> node.client().get(key(number)).statusCode() == 200);
      assertThat(node.client().get(key(i)).body()).as(key(i)).isEqualTo(value(i));
    }
  }

  @Test
  void aCorruptedStoreThatFillsMostOfItsVolumeIsSalvaged(@TempDir Path directory)
      throws IOException {
    try (Volume volume = Volume.mount(directory.resolve("kvorum-2"), VOLUME_MB);
        Cluster cluster = new Cluster(directory, SETTINGS)) {
      write(cluster);
      NodeProcess node = cluster.node(2);
      // A start puts into tables what is in the log.
      stop(node);
      node.launch().awaitReady();
      stop(node);
      long stored = megabytes(data(node).resolve("store"));
      assertThat(stored).as("MB of %s", volume).isGreaterThan(VOLUME_MB * 55 / 100);
      flipABlock(data(node).resolve("store"));

      long begun = System.nanoTime();
      node.launch().awaitReady();
      readUntilSetAside(node);
      readAll(node);
      cluster.awaitRebuilt();
      Awaitility.await("salvaged").atMost(SALVAGED_MAX).until(() -> !isSalvaging(node));
      System.out.printf(
          "a store of %d MB salvaged after %d s%n",
          stored, (System.nanoTime() - begun) / 1_000_000_000);
      assertThat(node.log()).contains("their records are stored again");
      readAll(node);
      assertThat(Cluster.hasCopy(node, key(random.nextInt(RECORDS)))).isTrue();
      assertThat(node.client().put("later", "v").statusCode()).isEqualTo(201);
    }
  }
}
