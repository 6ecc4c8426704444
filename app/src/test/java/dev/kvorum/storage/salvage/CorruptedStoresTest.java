package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.salvage.SetAsideFixture.RECORDS;
import static dev.kvorum.storage.salvage.SetAsideFixture.key;
import static dev.kvorum.storage.salvage.SetAsideFixture.next;
import static dev.kvorum.storage.salvage.SetAsideFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** What is read again of stores whose files are corrupted. */
class CorruptedStoresTest {
  private @TempDir Path parent;
  private SetAsideFixture aside;

  @BeforeEach
  void create() {
    aside = new SetAsideFixture(parent);
  }

  private static boolean release(CorruptedStores stores) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    stores.release(Runnable::run, released::complete);
    return await(released);
  }

  @Test
  void readsAllOfASoundStore() {
    aside.fill();
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(0);
    assertThat(aside.unreadable).isEmpty();
    assertThat(aside.readable.values()).allMatch(Salvageable::isNewest);
  }

  @Test
  void readsAroundCorruptedBlocks() {
    aside.fill();
    Path table = aside.largestTable();
    // Three blocks of about a dozen records each.
    StoreFiles.flip(table, table.toFile().length() / 8);
    StoreFiles.flip(table, table.toFile().length() / 3);
    StoreFiles.flip(table, table.toFile().length() / 2);
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(60);
    assertThat(aside.unreadable).hasSizeBetween(1, 3);
    assertThat(aside.readable).hasSizeGreaterThan(RECORDS - 60);
  }

  @Test
  void reportsARecordThatDoesNotMatchItsChecksum() throws RocksDBException {
    aside.fill();
    Key key = Key.of(key(7));
    byte[] stored = RecordCodec.encode(put(key(7), 9000, "newer").record());
    stored[stored.length - 1] ^= 1;
    try (RocksDatabase raw = RocksDatabase.open(StoreFixture.settings(aside.directory()))) {
      raw.db().put(raw.records(), key.bytes(), stored);
    }
    aside.salvage();
    assertThat(aside.unreadable).containsExactly(KeyRange.only(key));
    assertThat(aside.readable).hasSize(RECORDS - 1).doesNotContainKey(key);
  }

  @Test
  void takesFromOtherTablesWhatACorruptedBlockHidesOfTheMergedView() {
    aside.fill();
    Path directory = aside.directory();
    Path corrupted = aside.largestTable();
    try (RecordStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < RECORDS; i += 2) {
        apply(store, put(key(i) + "-more", 5000 + i, "another"));
      }
      apply(store, put(key(RECORDS / 3), 9000, "newer"));
    }
    StoreFixture.open(directory).close();
    StoreFiles.flip(corrupted, corrupted.toFile().length() / 3);
    aside.salvage();
    for (int i = 0; i < RECORDS; i += 2) {
      assertThat(aside.readable).containsKey(Key.of(key(i) + "-more"));
    }
    assertThat(aside.readable.values())
        .extracting(Salvageable::mutation)
        .contains(put(key(RECORDS / 3), 9000, "newer"));
  }

  @Test
  void readsTheLogAroundACorruptedBlockAndTakesNothingForTheNewest() throws IOException {
    Path alive = parent.resolve("alive");
    Path directory = aside.directory();
    try (RecordStore store = StoreFixture.open(alive)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
      StoreFiles.copy(alive, directory);
    }
    Path log = StoreFiles.like(directory, "", ".log").getLast();
    StoreFiles.flip(log, Files.size(log) / 2);
    aside.salvage();
    assertThat(aside.unreadable).contains(KeyRange.ALL);
    aside.assertEachRecordIsReadableOrReported(150);
    assertThat(aside.readable.values()).noneMatch(Salvageable::isNewest);
  }

  @Test
  void readsTablesAndLogsOfAStoreWhoseCatalogueIsGone() throws IOException {
    aside.fill();
    Path directory = aside.directory();
    try (RecordStore store = StoreFixture.open(directory)) {
      apply(store, put("in-the-log", 9000, "v"));
    }
    Files.delete(directory.resolve("CURRENT"));
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(0);
    assertThat(aside.readable).containsKey(Key.of("in-the-log"));
    assertThat(aside.unreadable).contains(KeyRange.ALL);
  }

  @Test
  void isPendingUntilItIsReleased() {
    aside.fill();
    Path directory = aside.directory();
    try (CorruptedStores stores = aside.stores()) {
      assertThat(release(stores)).isTrue();
      assertThat(stores.isPending()).isFalse();
    }
    assertThat(directory).doesNotExist();
    try (CorruptedStores stores = aside.stores()) {
      assertThat(stores.isPending()).isFalse();
    }
  }

  /** The process has an error now and then while directories are listed. */
  private static final class FailingDisk implements SetAsideDisk {
    private final SetAsideDisk disk;
    private volatile boolean isFailing;

    FailingDisk(SetAsideDisk disk) {
      this.disk = disk;
    }

    @Override
    public StoreSettings settings() {
      return disk.settings();
    }

    @Override
    public List<String> corrupted() throws IOException {
      if (isFailing) {
        throw new LinkageError("no library");
      }
      return disk.corrupted();
    }

    @Override
    public SetAsideStore setAside(String name) {
      return disk.setAside(name);
    }

    @Override
    public void release(List<String> salvaged) throws IOException {
      disk.release(salvaged);
    }

    @Override
    public LostKeys lostKeys() throws IOException {
      return disk.lostKeys();
    }

    @Override
    public void keepLostKeys(LostKeys lost) throws IOException {
      disk.keepLostKeys(lost);
    }
  }

  @Test
  void answersAlsoAfterAnError() {
    aside.fill();
    FailingDisk disk = new FailingDisk(aside.disk());
    try (CorruptedStores stores = new CorruptedStores(disk)) {
      disk.isFailing = true;
      stores.begin();
      assertThat(next(stores)).isEqualTo(new Salvaged.Failed("no library"));
      assertThat(release(stores)).isFalse();
      assertThat(stores.isPending()).as("nothing was released").isTrue();
      disk.isFailing = false;
      assertThat(next(stores)).isInstanceOf(Salvaged.Page.class);
    }
  }

  @Test
  void doesNotReleaseAStoreThatWasSetAsideSinceTheReadingBegan() throws IOException {
    aside.fill();
    Path first = aside.directory();
    try (CorruptedStores stores = aside.stores()) {
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
