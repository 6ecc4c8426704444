package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.salvage.SetAsideFixture.RECORDS;
import static dev.kvorum.storage.salvage.SetAsideFixture.key;
import static dev.kvorum.storage.salvage.SetAsideFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read again of corrupted stores that keep two thirds of their records in blob files. */
class CorruptedBlobFilesTest {
  private static final String BLOBS = "blob-min=200";

  private @TempDir Path parent;
  private SetAsideFixture aside;

  @BeforeEach
  void fill() {
    aside = new SetAsideFixture(parent);
    aside.fill(BLOBS);
    assertThat(blobFiles()).isNotEmpty();
  }

  private List<Path> blobFiles() {
    return StoreFiles.like(aside.directory(), "", ".blob");
  }

  private RecordStore open() {
    return StoreFixture.open(aside.with(BLOBS));
  }

  /** Writes what is in the log to tables and blob files. */
  private void flush() {
    open().close();
  }

  private Salvageable found(int i) {
    return Optional.ofNullable(aside.readable.get(Key.of(key(i))))
        .orElseThrow(() -> new AssertionError(key(i) + " is missing"));
  }

  private Versioned salvaged(int i) {
    return found(i).mutation().record();
  }

  private void assertLargeOnesAreReadable() {
    for (int i = 0; i < RECORDS; i++) {
      if (i % 3 > 0) {
        assertThat(salvaged(i)).isEqualTo(live(1 + i, value(i)));
      }
    }
  }

  @Test
  void readsAllOfASoundStore() {
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(0);
    assertThat(aside.unreadable).isEmpty();
    assertThat(aside.readable.values()).allMatch(Salvageable::isNewest);
  }

  @Test
  void takesLargeRecordsOfCorruptedBlocksFromBlobFiles() {
    Path table = aside.largestTable();
    StoreFiles.flip(table, table.toFile().length() / 8);
    StoreFiles.flip(table, table.toFile().length() / 2);
    aside.salvage();
    assertThat(aside.unreadable).isNotEmpty();
    assertLargeOnesAreReadable();
    aside.assertEachRecordIsReadableOrReported(RECORDS / 3);
  }

  @Test
  void takesLargeRecordsFromBlobFilesWhenATableIsGone() throws IOException {
    Files.delete(aside.largestTable());
    aside.salvage();
    assertLargeOnesAreReadable();
    aside.assertEachRecordIsReadableOrReported(RECORDS / 3);
  }

  @Test
  void missesOnlyCorruptedValues() {
    Path blobs = blobFiles().getFirst();
    long length = blobs.toFile().length();
    for (int part = 1; part < 6; part++) {
      StoreFiles.flip(blobs, length * part / 6);
    }
    aside.salvage();
    assertThat(aside.unreadable).hasSizeBetween(3, 5);
    aside.assertEachRecordIsReadableOrReported(5);
    assertThat(aside.readable).hasSizeBetween(RECORDS - 5, RECORDS - 3);
  }

  @Test
  void missesOnlyWhatIsInABlobFileThatIsGone() throws IOException {
    try (RecordStore store = open()) {
      for (int i = 1; i < RECORDS; i += 60) {
        apply(store, put(key(i), 5000 + i, value(i + 1)));
      }
    }
    flush();
    Path newest = blobFiles().getLast();
    assertThat(blobFiles()).hasSizeGreaterThan(1);
    Files.delete(newest);
    aside.salvage();
    for (int i = 0; i < RECORDS; i++) {
      Key key = Key.of(key(i));
      assertThat(aside.unreadable.stream().anyMatch(range -> range.contains(key)))
          .as(key(i))
          .isEqualTo(i % 60 == 1 || i % 60 == 0);
      // The overwritten one is still in the older file.
      assertThat(salvaged(i)).isEqualTo(live(1 + i, value(i)));
      assertThat(found(i).isNewest()).as(key(i)).isEqualTo(i % 60 != 1);
    }
  }

  @Test
  void readsRecordsBetweenManyUnreadableOnes() throws IOException {
    try (RecordStore store = open()) {
      for (int i = 0; i < 100; i++) {
        apply(store, put("a%02d".formatted(i), 5000 + i, value(1)));
        apply(store, put("z%02d".formatted(i), 6000 + i, value(1)));
      }
    }
    flush();
    Files.delete(blobFiles().getLast());
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(0);
    assertThat(aside.readable).hasSize(RECORDS);
    Key first = Key.of(key(0));
    Key last = Key.of(key(RECORDS - 1));
    assertThat(aside.unreadable)
        .containsExactly(
            new KeyRange(Optional.empty(), true, Optional.of(first)),
            new KeyRange(Optional.of(last), true, Optional.empty()));
  }

  @Test
  void needsNoHeaderOfABlobFile() {
    StoreFiles.flip(blobFiles().getFirst(), 2);
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(0);
  }

  @Test
  void readsABlobFileUpToACut() throws IOException {
    Path blobs = blobFiles().getFirst();
    long length = Files.size(blobs);
    try (FileChannel file = FileChannel.open(blobs, StandardOpenOption.WRITE)) {
      file.truncate(length / 2);
    }
    aside.salvage();
    aside.assertEachRecordIsReadableOrReported(RECORDS / 3 + 9);
    assertThat(aside.readable).hasSizeBetween(RECORDS * 2 / 3 - 9, RECORDS * 2 / 3 + 9);
  }

  @Test
  void readsTheNewestOfAStoreWhoseCatalogueIsGoneAndNothingThatWasRemoved() throws Exception {
    try (RecordStore store = open()) {
      apply(store, put(key(1), 5000, value(2)));
      StoreFixture.await(removing(store, key(2), 3));
      store.engine().flush();
      store.engine().compactRecords(true);
      apply(store, put("in-the-log", 9000, value(4)));
    }
    Files.delete(aside.directory().resolve("CURRENT"));
    aside.salvage();
    assertThat(aside.unreadable).contains(KeyRange.ALL);
    assertThat(salvaged(1)).isEqualTo(live(5000, value(2)));
    assertThat(aside.readable)
        .hasSize(RECORDS)
        .doesNotContainKey(Key.of(key(2)))
        .containsKey(Key.of("in-the-log"));
    for (int i = 3; i < RECORDS; i++) {
      assertThat(salvaged(i)).isEqualTo(live(1 + i, value(i)));
    }
  }
}
