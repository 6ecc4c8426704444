package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A store in the place where a corrupted one is set aside, and what is read of it again. */
public final class SetAsideFixture {
  static final int RECORDS = 600;

  public final List<KeyRange> unreadable = new ArrayList<>();
  public final Map<Key, Salvageable> readable = new TreeMap<>();
  private final Path parent;

  public SetAsideFixture(Path parent) {
    this.parent = parent;
  }

  static String key(int i) {
    return "k%04d".formatted(i);
  }

  /** About 300 bytes; a tenth of that in every third record. */
  static String value(int i) {
    return ("value " + i + " ").repeat(i % 3 == 0 ? 3 : 30) + i * 7919;
  }

  public Path directory() {
    return parent.resolve("store.set-aside-20260102T030405Z.corrupted");
  }

  /** Settings of this store, with other ones of {@code kvorum.storage}. */
  StoreSettings with(String... more) {
    return StoreFixture.with(settings(directory()), more);
  }

  /** Fills it so that its records are in one table. */
  void fill(String... more) {
    try (RecordStore store = StoreFixture.open(with(more))) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
    }
    // The next opening puts into a table what is in the log.
    StoreFixture.open(with(more)).close();
  }

  Path largestTable() {
    return StoreFiles.tables(directory()).stream()
        .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
        .orElseThrow();
  }

  CorruptedStores stores() {
    return new CorruptedStores(disk());
  }

  SetAsideDisk disk() {
    return StoreFixture.disk(settings(parent.resolve("store")));
  }

  static Salvaged next(CorruptedStores stores) {
    CompletableFuture<Salvaged> answer = new CompletableFuture<>();
    stores.next(new ScanLimits(100, 1 << 20), Runnable::run, answer::complete);
    return await(answer);
  }

  static void makeRoom(CorruptedStores stores, boolean areAllStored, boolean single) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    stores.makeRoom(areAllStored, single, Runnable::run, () -> done.complete(true));
    assertThat(await(done)).isTrue();
  }

  public void salvage() {
    try (CorruptedStores stores = stores()) {
      assertThat(stores.isPending()).isTrue();
      stores.begin();
      boolean isLast = false;
      while (!isLast) {
        if (!(next(stores) instanceof Salvaged.Page page)) {
          throw new AssertionError("not read");
        }
        page.records().forEach(this::keepNewest);
        unreadable.addAll(page.unreadable());
        isLast = page.isLast();
      }
    }
  }

  /** As a store does that receives them. */
  private void keepNewest(Salvageable found) {
    readable.merge(
        found.mutation().key(),
        found,
        (a, b) ->
            a.mutation().record().version().isNewerThan(b.mutation().record().version()) ? a : b);
  }

  void assertEachRecordIsReadableOrReported(int unreadableMax) {
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
}
