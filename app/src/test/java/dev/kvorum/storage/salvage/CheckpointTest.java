package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;
import dev.kvorum.files.Directories;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  private static final int IN_FLIGHT = 200;

  @TempDir private Path directory;

  private static Map<Key, Versioned> read(StoreSettings settings, Path checkpoint)
      throws IOException {
    return read(settings, checkpoint, Optional.empty());
  }

  private static Map<Key, Versioned> read(
      StoreSettings settings, Path checkpoint, Optional<Key> start) throws IOException {
    Map<Key, Versioned> records = new TreeMap<>();
    try (CheckpointReader reader = CheckpointReader.open(settings.in(checkpoint), start)) {
      Salvaged.Page page;
      do {
        page = reader.next(new ScanLimits(100, 1 << 16));
        assertThat(page.unreadable()).isEmpty();
        page.records().forEach(one -> records.put(one.mutation().key(), one.mutation().record()));
      } while (!page.isLast());
    }
    return records;
  }

  private StoreSettings settings() {
    return StoreFixture.with(
        StoreFixture.settings(directory.resolve("store")), "blob-min=64", "write-buffer=64KB");
  }

  private static Key key(int number) {
    return Key.of("key-%06d".formatted(number));
  }

  @Test
  void aCheckpointHasWhatWasAcknowledgedBeforeAndOutlivesTheStoresFiles()
      throws EngineException, IOException, InterruptedException {
    StoreSettings settings = settings();
    AtomicInteger acknowledged = new AtomicInteger();
    Semaphore places = new Semaphore(IN_FLIGHT);
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (RecordStore store = StoreFixture.open(settings)) {
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; !end.isDone(); i++) {
                  places.acquireUninterruptibly();
                  String value = i % 10 == 0 ? "large ".repeat(50) : "small";
                  store.apply(
                      new Mutation(key(i), live(i + 1, value)),
                      StoreFixture.INLINE,
                      result -> {
                        assertThat(result).isInstanceOf(WriteResult.Stored.class);
                        acknowledged.incrementAndGet();
                        places.release();
                      });
                }
              });
      for (int round = 1; round <= 5; round++) {
        int wanted = round * 3000;
        StoreFixture.awaitUntil(() -> acknowledged.get() >= wanted);
        // Writes are acknowledged in order.
        int before = acknowledged.get();
        Path checkpoint = directory.resolve("checkpoint-" + round);
        store.checkpoint(checkpoint);
        assertThat(read(settings, checkpoint)).hasSizeGreaterThanOrEqualTo(before);
        assertThat(read(settings, checkpoint)).containsKeys(key(0), key(before - 1));
      }
      end.complete(null);
      writer.join();
      StoreFixture.awaitUntil(() -> places.availablePermits() == IN_FLIGHT);
    }
    Directories.delete(settings.directory());
    Map<Key, Versioned> last = read(settings, directory.resolve("checkpoint-5"));
    assertThat(last).containsEntry(key(10), live(11, "large ".repeat(50)));
    assertThat(read(settings, directory.resolve("checkpoint-5"), Optional.of(key(14_000))))
        .as("from a key on")
        .hasSize(last.size() - 14_000);
  }

  @Test
  void whatWasRemovedOrReplacedStaysSo() throws EngineException, IOException {
    StoreSettings settings = settings();
    Path checkpoint = directory.resolve("checkpoint");
    try (RecordStore store = StoreFixture.open(settings)) {
      for (String key : new String[] {"deleted", "overwritten", "kept", "removed"}) {
        StoreFixture.apply(store, put(key, 1, "old"));
      }
      store.flush();
      StoreFixture.apply(store, new Mutation(Key.of("deleted"), tombstone(2)));
      StoreFixture.apply(store, put("overwritten", 2, "new"));
      StoreFixture.apply(store, new Mutation(Key.of("removed"), tombstone(2)));
      store.flush();
      CompletableFuture<WriteResult> removed = new CompletableFuture<>();
      store.remove(
          Key.of("removed"), tombstone(2).version(), StoreFixture.INLINE, removed::complete);
      assertThat(removed.join()).isEqualTo(StoreFixture.STORED);
      store.checkpoint(checkpoint);
      StoreFixture.apply(store, put("later", 3, "not in it"));
    }
    Map<Key, Versioned> records = read(settings, checkpoint);
    assertThat(records).containsOnlyKeys(Key.of("deleted"), Key.of("overwritten"), Key.of("kept"));
    assertThat(records)
        .containsEntry(Key.of("deleted"), tombstone(2))
        .containsEntry(Key.of("overwritten"), live(2, "new"));
  }

  @Test
  void aClosedStoreIsNotCopied() {
    RecordStore store = StoreFixture.open(settings());
    store.close();
    assertThatThrownBy(() -> store.checkpoint(directory.resolve("checkpoint")))
        .hasMessage("the store is closed");
  }
}
