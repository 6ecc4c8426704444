package dev.kvorum.storage.replace;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read that takes long while its store is to be replaced. */
class HangingReplacementTest {
  private @TempDir Path parent;
  private ReplaceableStore store;
  private HangingScan hanging;
  private CompletableFuture<Void> replaced;

  @BeforeEach
  void replaceAroundAHangingScan() {
    store =
        ReplaceableStore.open(
            StoreFixture.disk(
                HangingScan.shortOfTime(StoreFixture.settings(parent.resolve("store")))),
            () -> OnCorruption.REBUILD);
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
    hanging = HangingScan.beginIn(store);
    replaced = store.reset("away too long");
    HangingScan.awaitClosing(store);
  }

  @AfterEach
  void close() {
    hanging.end();
    store.close();
  }

  @Test
  void waitsForAReadThatTakesLongerThanAStopMay() {
    assertThat(store.isFailed()).as("not ready").isTrue();
    assertThat(store.needsRestart()).as("not live").isFalse();
    hanging.end();
    await(replaced);
    assertThat(store.isFailed()).isFalse();
    assertThat(store.needsRestart()).isFalse();
    assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
    assertThat(apply(store, put("k", 2, "v"))).isEqualTo(STORED);
  }

  @Test
  void aStopDoesNotWaitForAReadThatHangs() {
    await(CompletableFuture.runAsync(store::close));
    assertThat(hanging.isOver()).isFalse();
    hanging.end();
    await(replaced);
    assertThat(StoreFiles.like(parent, "store.set-aside-", "")).as("after the stop").isEmpty();
  }
}
