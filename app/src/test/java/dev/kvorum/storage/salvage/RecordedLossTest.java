package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which keys are lost is known to later processes, or is reported as not recorded. */
class RecordedLossTest {
  private @TempDir Path parent;

  private CorruptedStores stores() {
    return new CorruptedStores(StoreFixture.disk(settings(parent.resolve("store"))));
  }

  private static boolean keepLost(CorruptedStores stores, LostKeys lost) {
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    stores.keepLost(lost, Runnable::run, kept::complete);
    return await(kept);
  }

  @Test
  void reportsThatALossCouldNotBeRecorded() throws IOException {
    LostKeys lost = new LostKeys(List.of(KeyRange.ALL), BitSet.valueOf(new long[] {1}));
    Path file = parent.resolve("store.lost-keys");
    try (CorruptedStores stores = stores()) {
      // No file can take the place of a directory with something in it.
      Path inside = Files.createDirectories(file.resolve("inside"));
      assertThat(keepLost(stores, lost)).isFalse();
      assertThat(stores.lost()).isEqualTo(LostKeys.NONE);
      Files.delete(inside);
      Files.delete(file);
      assertThat(keepLost(stores, lost)).isTrue();
      assertThat(stores.lost()).isEqualTo(lost);
    }
  }

  @Test
  void remembersWhatIsLost() {
    BitSet slots = new BitSet();
    slots.set(7);
    LostKeys lost = new LostKeys(List.of(KeyRange.only(Key.of("k")), KeyRange.ALL), slots);
    try (CorruptedStores stores = stores()) {
      assertThat(keepLost(stores, lost)).isTrue();
    }
    try (CorruptedStores stores = stores()) {
      assertThat(stores.lost()).isEqualTo(lost);
      assertThat(stores.lost().contains(Key.of("k"), 7)).isTrue();
      assertThat(stores.lost().contains(Key.of("k"), 8)).isFalse();
    }
  }
}
