package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.RecordStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read again of stores whose files are corrupted. */
class CorruptedStoresTest {
  private static final int RECORDS = 600;

  private @TempDir Path parent;
  private final List<KeyRange> unreadable = new ArrayList<>();
  private final Map<Key, Salvageable> readable = new TreeMap<>();

  private static String key(int i) {
    return "k%04d".formatted(i);
  }

  private static String value(int i) {
    return ("value " + i + " ").repeat(30) + i * 7919;
  }

  /** A corrupted store in the place where one is set aside; its records are in one table. */
  private Path store() {
    Path directory = parent.resolve("store.set-aside-20260102T030405Z.corrupted");
    try (RecordStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
    }
    // The next opening puts into a table what is in the log.
    StoreFixture.open(directory).close();
    return directory;
  }

  private static Path largestTable(Path directory) {
    return StoreFiles.tables(directory).stream()
        .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
        .orElseThrow();
  }

  private CorruptedStores stores() {
    return stores(new StoreDirectories(parent.resolve("store")));
  }

  private CorruptedStores stores(StoreDirectories directories) {
    return new CorruptedStores(settings(parent.resolve("store")), directories);
  }

  private static Salvaged next(CorruptedStores stores) {
    CompletableFuture<Salvaged> answer = new CompletableFuture<>();
    stores.next(new ScanLimits(100, 1 << 20), Runnable::run, answer::complete);
    return await(answer);
  }

  private static boolean release(CorruptedStores stores) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    stores.release(Runnable::run, released::complete);
    return await(released);
  }

  private void salvage() {
    try (CorruptedStores stores = stores()) {
      assertThat(stores.isPending()).isTrue();
      stores.begin();
      boolean isLast = false;
      while (!isLast) {
        if (!(next(stores) instanceof Salvaged.Page page)) {
          throw new AssertionError("not read");
        }
        page.records().forEach(record -> readable.put(record.mutation().key(), record));
        unreadable.addAll(page.unreadable());
        isLast = page.isLast();
      }
    }
  }

  private void assertEachRecordIsReadableOrReported(int unreadableMax) {
    int missing = 0;
    for (int i = 0; i < RECORDS; i++) {
      Key key = Key.of(key(i));
      Salvageable found = readable.get(key);
      if (found == null) {
        missing++;
        assertThat(unreadable).as(key(i)).anyMatch(range -> range.contains(key));
      } else {
        assertThat(found.mutation().record()).isEqualTo(live(1 + i, value(i)));
      }
    }
    assertThat(missing).isLessThanOrEqualTo(unreadableMax);
  }

  @Test
  void readsAllOfASoundStore() {
    store();
    salvage();
    assertEachRecordIsReadableOrReported(0);
    assertThat(unreadable).isEmpty();
    assertThat(readable.values()).allMatch(Salvageable::isNewest);
  }

  @Test
  void readsAroundCorruptedBlocks() {
    Path table = largestTable(store());
    // Three blocks of about a dozen records each.
    StoreFiles.flip(table, table.toFile().length() / 8);
    StoreFiles.flip(table, table.toFile().length() / 3);
    StoreFiles.flip(table, table.toFile().length() / 2);
    salvage();
    assertEachRecordIsReadableOrReported(60);
    assertThat(unreadable).hasSizeBetween(1, 3);
    assertThat(readable).hasSizeGreaterThan(RECORDS - 60);
  }

  @Test
  void takesFromOtherTablesWhatACorruptedBlockHidesOfTheMergedView() {
    Path directory = store();
    Path corrupted = largestTable(directory);
    try (RecordStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < RECORDS; i += 2) {
        apply(store, put(key(i) + "-more", 5000 + i, "another"));
      }
      apply(store, put(key(RECORDS / 3), 9000, "newer"));
    }
    StoreFixture.open(directory).close();
    StoreFiles.flip(corrupted, corrupted.toFile().length() / 3);
    salvage();
    for (int i = 0; i < RECORDS; i += 2) {
      assertThat(readable).containsKey(Key.of(key(i) + "-more"));
    }
    assertThat(readable.values())
        .extracting(Salvageable::mutation)
        .contains(put(key(RECORDS / 3), 9000, "newer"));
  }

  @Test
  void readsTheLogAroundACorruptedBlockAndTakesNothingForTheNewest() throws IOException {
    Path alive = parent.resolve("alive");
    Path directory = parent.resolve("store.set-aside-20260102T030405Z.corrupted");
    try (RecordStore store = StoreFixture.open(alive)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
      StoreFiles.copy(alive, directory);
    }
    Path log = StoreFiles.like(directory, "", ".log").getLast();
    StoreFiles.flip(log, Files.size(log) / 2);
    salvage();
    assertThat(unreadable).contains(KeyRange.ALL);
    assertEachRecordIsReadableOrReported(150);
    assertThat(readable.values()).noneMatch(Salvageable::isNewest);
  }

  @Test
  void readsTablesAndLogsOfAStoreWhoseCatalogueIsGone() throws IOException {
    Path directory = store();
    try (RecordStore store = StoreFixture.open(directory)) {
      apply(store, put("in-the-log", 9000, "v"));
    }
    Files.delete(directory.resolve("CURRENT"));
    salvage();
    assertEachRecordIsReadableOrReported(0);
    assertThat(readable).containsKey(Key.of("in-the-log"));
    assertThat(unreadable).contains(KeyRange.ALL);
  }

  @Test
  void isPendingUntilItIsReleased() {
    Path directory = store();
    try (CorruptedStores stores = stores()) {
      assertThat(release(stores)).isTrue();
      assertThat(stores.isPending()).isFalse();
    }
    assertThat(directory).doesNotExist();
    try (CorruptedStores stores = stores()) {
      assertThat(stores.isPending()).isFalse();
    }
  }

  /** The process has an error now and then while directories are listed. */
  private static final class FailingDirectories extends StoreDirectories {
    private volatile boolean isFailing;

    FailingDirectories(Path current) {
      super(current);
    }

    @Override
    List<Path> corrupted() throws IOException {
      if (isFailing) {
        throw new LinkageError("no library");
      }
      return super.corrupted();
    }
  }

  @Test
  void answersAlsoAfterAnError() {
    store();
    FailingDirectories directories = new FailingDirectories(parent.resolve("store"));
    try (CorruptedStores stores = stores(directories)) {
      directories.isFailing = true;
      stores.begin();
      assertThat(next(stores)).isEqualTo(new Salvaged.Failed("no library"));
      assertThat(release(stores)).isFalse();
      assertThat(stores.isPending()).as("nothing was released").isTrue();
      directories.isFailing = false;
      assertThat(next(stores)).isInstanceOf(Salvaged.Page.class);
    }
  }

  @Test
  void isNeverDeletedWhileItIsPendingAndBoundedInNumber() throws IOException {
    StoreDirectories directories = new StoreDirectories(parent.resolve("store"));
    for (int i = 0; i < StoreDirectories.CORRUPTED_MAX; i++) {
      Files.createDirectories(parent.resolve("store"));
      Files.createDirectories(directories.fresh());
      // There is never room for a second store of this size, and all within one second.
      directories.swap(Instant.EPOCH, true, Long.MAX_VALUE);
    }
    assertThat(directories.corrupted()).hasSize(StoreDirectories.CORRUPTED_MAX);
    Files.createDirectories(directories.fresh());
    assertThatIOException()
        .isThrownBy(() -> directories.swap(Instant.EPOCH, true, 0))
        .withMessageContaining("replace the disk");
    assertThat(parent.resolve("store")).exists();
  }

  @Test
  void doesNotReleaseAStoreThatWasSetAsideSinceTheReadingBegan() throws IOException {
    Path first = store();
    try (CorruptedStores stores = stores()) {
      stores.begin();
      Path second = parent.resolve("store.set-aside-20260102T030406Z.corrupted");
      StoreFiles.copy(first, second);
      stores.refresh();
      assertThat(release(stores)).isTrue();
      assertThat(first).doesNotExist();
      assertThat(second).exists();
      assertThat(stores.isPending()).isTrue();
      stores.begin();
      assertThat(release(stores)).isTrue();
      assertThat(second).doesNotExist();
      assertThat(stores.isPending()).isFalse();
    }
  }
}
