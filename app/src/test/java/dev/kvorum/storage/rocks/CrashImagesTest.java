package dev.kvorum.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.Durability;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Power losses and corruption, at every batch of a store under writes. */
class CrashImagesTest {
  private static final int RUNS = 1;
  private static final int IMAGES = 40;

  private @TempDir Path directory;

  @Test
  void losesNothingThatWasAcknowledged() throws IOException {
    long first = Seeds.seed();
    for (long seed = first; seed < first + RUNS; seed++) {
      CrashChecks checks = CrashImages.run(seed, directory.resolve("run"), IMAGES);
      System.out.println("seed " + seed + ": " + checks);
      assertThat(checks.violations()).as("seed %d", seed).isEmpty();
    }
  }

  /** RocksDB rejects the log of image 35, even if it is told to skip corrupted records. */
  @Test
  void salvagesALogThatRocksDbRejects() throws IOException {
    CrashChecks checks = CrashImages.run(387253, directory.resolve("run"), IMAGES);
    assertThat(checks.violations()).isEmpty();
  }

  /** The page before a block of the log was not written: RocksDB takes zeros for padding. */
  @Test
  void recoversNothingBehindAHoleInTheLog() throws IOException {
    CrashChecks checks = CrashImages.run(270131652, directory.resolve("run"), IMAGES);
    assertThat(checks.violations()).isEmpty();
  }

  @Test
  void noticesAcknowledgementsBeforeTheSync() {
    CrashChecks checks = new CrashRun(1, Durability.SYNC, Durability.ASYNC, directory).play(500);
    assertThat(checks.violations()).isNotEmpty();
  }
}
