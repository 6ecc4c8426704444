package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.salvage.SetAsideFixture.makeRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.replace.ReplaceableStore;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a set-aside store are deleted while the rest is still to be read. */
class SalvageRoomTest {
  private static final int RECORDS = 2000;
  private static final int VALUE_BYTES = 4000;
  private static final int IN_LOG_EVERY = 50;
  private static final int ALL = RECORDS + RECORDS / IN_LOG_EVERY;

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private @TempDir Path parent;
  private SetAsideFixture aside;
  private Path directory;
  private final Set<Key> found = new TreeSet<>();
  private final List<KeyRange> unreadable = new ArrayList<>();

  private static Key key(int i) {
    return Key.of("k%04d".formatted(i));
  }

  /** A store of several tables on a level below the first, in order of keys. */
  @BeforeEach
  void fill() {
    aside = new SetAsideFixture(parent);
    directory = aside.directory();
    try (RecordStore store =
        StoreFixture.open(settings(directory, 1000, Durability.ASYNC, Duration.ofMillis(20)))) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        Versioned record = Versioned.live(new Version(1 + i, 1), Versioned.NEVER, 3, value);
        assertThat(apply(store, new Mutation(key(i), record))).isEqualTo(STORED);
      }
      store.flush();
      awaitUntil(
          () -> store.stats().database().levelFiles().stream().skip(1).mapToLong(n -> n).sum() > 3);
      for (int i = 0; i < RECORDS; i += IN_LOG_EVERY) {
        apply(store, StoreFixture.put("k%04d in the log".formatted(i), 9000 + i, "v"));
      }
    }
  }

  private boolean readPage(CorruptedStores stores) {
    Salvaged next = SetAsideFixture.next(stores);
    if (!(next instanceof Salvaged.Page page)) {
      throw new AssertionError("not read: " + next);
    }
    page.records().forEach(record -> found.add(record.mutation().key()));
    unreadable.addAll(page.unreadable());
    return !page.isLast();
  }

  private void readRest(CorruptedStores stores) {
    while (readPage(stores)) {
      assertThat(found).hasSizeLessThanOrEqualTo(ALL);
    }
  }

  private CorruptedStores readHalfAndMakeRoom() {
    CorruptedStores stores = aside.stores();
    stores.begin();
    while (found.size() < RECORDS / 2) {
      assertThat(readPage(stores)).isTrue();
    }
    int before = StoreFiles.tables(directory).size();
    makeRoom(stores, false, true);
    assertThat(StoreFiles.tables(directory)).hasSizeLessThan(before - 1);
    return stores;
  }

  @Test
  void whatIsNotReadYetIsReadWhenTablesAreGone() {
    try (CorruptedStores stores = readHalfAndMakeRoom()) {
      readRest(stores);
    }
    assertThat(found).hasSize(ALL);
    assertThat(unreadable).as("seed %d", seed).isEmpty();
  }

  @Test
  void aNewProcessContinuesWhereTablesAreGone() {
    // The first table of records; those of other families are small.
    Path corrupted =
        StoreFiles.tables(directory).stream()
            .filter(table -> table.toFile().length() > 100 * VALUE_BYTES)
            .findFirst()
            .orElseThrow();
    StoreFiles.flip(corrupted, corrupted.toFile().length() / 2);
    List<KeyRange> before;
    try (CorruptedStores stores = readHalfAndMakeRoom()) {
      assertThat(stores.hadSingleCopies()).isTrue();
      before = List.copyOf(unreadable);
    }
    assertThat(before).isNotEmpty();
    unreadable.clear();
    found.clear();
    try (CorruptedStores stores = aside.stores()) {
      assertThat(stores.hadSingleCopies()).isTrue();
      stores.begin();
      readRest(stores);
    }
    assertThat(found).contains(key(RECORDS - 1)).doesNotContain(key(0));
    for (int i = RECORDS / 2; i < RECORDS; i++) {
      Key key = key(i);
      assertThat(found.contains(key) || unreadable.stream().anyMatch(range -> range.contains(key)))
          .as("%s, seed %d", key, seed)
          .isTrue();
    }
    assertThat(unreadable).containsAll(before).doesNotContain(KeyRange.ALL);
  }

  @Test
  void aNewProcessContinuesAfterACrashBeforeTablesWereDeleted() throws IOException {
    Path before = parent.resolve("before");
    StoreFiles.copy(directory, before);
    readHalfAndMakeRoom().close();
    int left = StoreFiles.tables(directory).size();
    for (Path table : StoreFiles.tables(before)) {
      Files.copy(
          table, directory.resolve(table.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    found.clear();
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      assertThat(readPage(stores)).isTrue();
      makeRoom(stores, false, true);
      assertThat(StoreFiles.tables(directory)).hasSizeLessThanOrEqualTo(left);
      readRest(stores);
    }
    assertThat(found).contains(key(RECORDS - 1)).doesNotContain(key(0));
    assertThat(unreadable).as("seed %d", seed).isEmpty();
  }

  @Test
  void theStoreIsOnlyReplacedOnceItsLossIsRecorded() {
    readHalfAndMakeRoom().close();
    try (ReplaceableStore store =
        ReplaceableStore.open(
            StoreFixture.disk(settings(parent.resolve("store"))), () -> OnCorruption.REBUILD)) {
      store.reset("a test").join();
    }
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      readRest(stores);
    }
    assertThat(unreadable).anyMatch(range -> range.contains(key(0)));
  }

  @Test
  void aResetLosesWhatIsStoredNowhereElse() {
    try (CorruptedStores stores = readHalfAndMakeRoom()) {
      stores.losePartsStoredAgain();
    }
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      readRest(stores);
    }
    assertThat(unreadable).anyMatch(range -> range.contains(key(0)));
    assertThat(unreadable).noneMatch(range -> range.contains(key(RECORDS - 1)));
  }

  @Test
  void aStoreThatIsStoredAgainStaysPendingWithoutItsFiles() {
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      readRest(stores);
      makeRoom(stores, true, false);
    }
    assertThat(StoreFiles.tables(directory)).isEmpty();
    found.clear();
    try (CorruptedStores stores = aside.stores()) {
      assertThat(stores.isPending()).isTrue();
      stores.begin();
      readRest(stores);
      assertThat(found).isEmpty();
      assertThat(unreadable).isEmpty();
    }
  }

  @Test
  void aDamagedRecordOfWhatIsGoneMakesEverythingUnreadable() throws IOException {
    readHalfAndMakeRoom().close();
    Files.writeString(directory.resolve(ReleasedPartFile.NAME), "\0\0\0");
    try (CorruptedStores stores = aside.stores()) {
      assertThat(stores.hadSingleCopies()).isTrue();
      stores.begin();
      readRest(stores);
    }
    assertThat(unreadable).contains(KeyRange.ALL);
  }
}
