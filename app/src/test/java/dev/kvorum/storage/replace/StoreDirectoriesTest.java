package dev.kvorum.storage.replace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDirectoriesTest {
  private @TempDir Path parent;

  @Test
  void neverDeletesAPendingStoreAndBoundsTheirNumber() throws IOException {
    StoreDirectories directories = new StoreDirectories(parent.resolve("store"));
    for (int i = 0; i < StoreDisk.CORRUPTED_MAX; i++) {
      Files.createDirectories(parent.resolve("store"));
      Files.createDirectories(directories.fresh());
      // There is never room for a second store of this size, and all within one second.
      directories.swap(Instant.EPOCH, true, Long.MAX_VALUE);
    }
    assertThat(directories.corrupted()).hasSize(StoreDisk.CORRUPTED_MAX);
    Files.createDirectories(directories.fresh());
    assertThatIOException()
        .isThrownBy(() -> directories.swap(Instant.EPOCH, true, 0))
        .withMessageContaining("replace the disk");
    assertThat(parent.resolve("store")).exists();
  }
}
