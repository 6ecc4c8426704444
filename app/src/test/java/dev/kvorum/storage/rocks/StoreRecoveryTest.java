package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.expiring;
import static dev.kvorum.storage.rocks.StoreFixture.keepMark;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class StoreRecoveryTest {
  private static final int RECORDS = 200;

  private @TempDir Path parent;

  private Path crashed() throws IOException {
    return crashedAfter(store -> {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put("k" + i, 1 + i, "v".repeat(500) + i))).isEqualTo(STORED);
      }
    });
  }

  private Path crashedAfter(Consumer<RecordStore> work) throws IOException {
    Path alive = parent.resolve("alive");
    Path copy = Files.createDirectory(parent.resolve("crashed"));
    try (RecordStore store = open(alive)) {
      work.accept(store);
      try (Stream<Path> files = Files.list(alive)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }

  private static Path log(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static int readable(RecordStore store) {
    int found = 0;
    while (found < RECORDS && read(store, "k" + found) instanceof ReadResult.Found) {
      found++;
    }
    return found;
  }

  @Test
  void hasEveryAcknowledgedRecordAfterACrash() throws IOException {
    try (RecordStore store = open(crashed())) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(read(store, "k" + i))
            .isEqualTo(new ReadResult.Found(live(1 + i, "v".repeat(500) + i)));
      }
    }
  }

  @Test
  void knowsWhatItRemovedAndMarkedAfterACrash() throws IOException {
    Path directory =
        crashedAfter(store -> {
          apply(store, new Mutation(Key.of("k"), tombstone(10)));
          apply(store, put("other", 12, "v"));
          assertThat(await(removing(store, "k", 10))).isEqualTo(STORED);
          assertThat(await(expiring(store, "other", 12))).isEqualTo(STORED);
          assertThat(keepMark(store.marks(), "synced/n1", 7)).isEqualTo(STORED);
        });
    try (RecordStore store = open(directory)) {
      assertThat(read(store, "k")).isEqualTo(ReadResult.Absent.ABSENT);
      assertThat(read(store, "other")).isEqualTo(new ReadResult.Found(tombstone(12)));
      assertThat(store.purgedUpTo()).isEqualTo(10);
      assertThat(store.marks().mark("synced/n1")).isEqualTo(7);
      assertThat(apply(store, put("k", 9, "deleted")))
          .isEqualTo(new WriteResult.Rejected(RejectReason.TOO_OLD));
    }
  }

  @Test
  void rejectsALogThatIsCorruptedInTheMiddle() throws IOException {
    Path directory = crashed();
    try (RandomAccessFile log = new RandomAccessFile(log(directory).toFile(), "rw")) {
      log.seek(log.length() / 2);
      log.write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    }
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(directory))
        .withMessageContaining(directory.toString())
        .withMessageContaining("corrupted")
        .withMessageContaining("keep a copy");
  }

  @Test
  void rejectsADirectoryThatAnotherStoreHolds() {
    Path directory = parent.resolve("held");
    try (RecordStore store = open(directory)) {
      assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
      assertThatExceptionOfType(StoreOpenException.class)
          .isThrownBy(() -> open(directory))
          .withMessageContaining(directory.toString())
          .withMessageContaining("another process is using it");
      assertThat(read(store, "k")).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void rejectsADirectoryThatIsAFile() throws IOException {
    Path file = Files.createFile(parent.resolve("file"));
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(file))
        .withMessageContaining(file.toString());
  }

  @Test
  void doesNotStartEmptyBesideOldTables() throws IOException {
    Path directory = Files.createDirectory(parent.resolve("half"));
    Files.createFile(directory.resolve("000012.sst"));
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(directory))
        .withMessageContaining("CURRENT is missing");
  }

  @Test
  void rejectsALayoutOfAnotherVersion() throws RocksDBException {
    Path directory = parent.resolve("newer");
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      byte[] layout = ByteBuffer.allocate(Integer.BYTES).putInt(2).array();
      raw.db().put(raw.meta(), "layout".getBytes(StandardCharsets.UTF_8), layout);
    }
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(directory))
        .withMessageContaining("layout");
  }

  @Test
  void leavesNothingBehindOfAFailedOpening() throws IOException {
    Path directory = crashed();
    List<Path> logs = List.of(log(directory));
    byte[] sound = Files.readAllBytes(logs.getFirst());
    byte[] damaged = sound.clone();
    damaged[damaged.length / 2] ^= 0x55;
    Files.write(logs.getFirst(), damaged);
    assertThatExceptionOfType(StoreOpenException.class).isThrownBy(() -> open(directory));

    Files.write(logs.getFirst(), sound);
    try (RecordStore store = open(directory)) {
      assertThat(readable(store)).isEqualTo(RECORDS);
    }
  }
}
