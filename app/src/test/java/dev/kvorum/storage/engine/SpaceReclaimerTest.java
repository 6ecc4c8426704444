package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.expiring;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceReclaimerTest {
  private static final int RECORDS = 8000;
  private static final int BATCH = 500;

  // The number of records is an estimate that counts some twice: what is left after the last
  // compaction must stay well below half.
  private static final double SHARE = 0.05;

  private @TempDir Path directory;

  private RecordStore open(double share) {
    return StoreFixture.open(
        with(settings(directory), "reclaim-share=" + share, "reclaim-interval=20ms"));
  }

  /** Values that do not compress, four mebibytes of them, in tables. */
  private void fill() {
    Random random = new Random(1);
    byte[] noise = new byte[512];
    try (RecordStore store = open(1)) {
      inBatches(
          0,
          RECORDS,
          i -> {
            random.nextBytes(noise);
            return applying(
                store, put(key(i), 1 + i, new String(noise, StandardCharsets.ISO_8859_1)));
          });
    }
    open(1).close();
  }

  private static String key(int i) {
    return "k%05d".formatted(i);
  }

  private static void inBatches(int from, int to, IntFunction<CompletableFuture<WriteResult>> ask) {
    for (int i = from; i < to; i += BATCH) {
      List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
      for (int j = i; j < Math.min(to, i + BATCH); j++) {
        answers.add(ask.apply(j));
      }
      answers.forEach(answer -> assertThat(StoreFixture.await(answer)).isEqualTo(STORED));
    }
  }

  private long tableBytes() {
    return StoreFiles.tables(directory).stream().mapToLong(file -> file.toFile().length()).sum();
  }

  @Test
  void theSpaceOfExpiredRecordsComesBackWithoutARestart() {
    fill();
    long full = tableBytes();
    assertThat(full).isGreaterThan(3 << 20);
    try (RecordStore store = open(SHARE)) {
      inBatches(0, RECORDS * 3 / 4, i -> expiring(store, key(i), 1 + i));
      StoreFixture.awaitUntil(() -> tableBytes() < full / 2);
      assertThat(read(store, key(7))).isEqualTo(new ReadResult.Found(StoreFixture.tombstone(8)));
      assertThat(read(store, key(RECORDS - 1))).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void theSpaceOfRemovedRecordsComesBackWithoutARestart() {
    fill();
    long full = tableBytes();
    try (RecordStore store = open(SHARE)) {
      inBatches(0, RECORDS * 3 / 4, i -> removing(store, key(i), 1 + i));
      StoreFixture.awaitUntil(() -> tableBytes() < full / 2);
      assertThat(read(store, key(7))).isEqualTo(ReadResult.Absent.ABSENT);
      assertThat(read(store, key(RECORDS - 1))).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void closesInTheMiddleOfACompaction() {
    fill();
    try (RecordStore store = open(0.01)) {
      inBatches(0, RECORDS / 2, i -> removing(store, key(i), 1 + i));
    }
    try (RecordStore store = open(0.01)) {
      assertThat(read(store, key(7))).isEqualTo(ReadResult.Absent.ABSENT);
      assertThat(read(store, key(RECORDS - 1))).isInstanceOf(ReadResult.Found.class);
    }
  }
}
