package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.applyStreamed;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.expiring;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.scan;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.HintStore.Hint;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.HintKey;
import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.topology.MemberId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Records that do not match their checksums, in a store whose files are sound. */
class MismatchedRecordsTest {
  private static final WriteResult REJECTED =
      new WriteResult.Rejected(RejectReason.CHECKSUM_MISMATCH);
  private static final ReadResult MISMATCH = new ReadResult.Unknown(RejectReason.CHECKSUM_MISMATCH);
  private static final MemberId PEER = new MemberId("kvorum-1");
  private static final ScanLimits ALL = new ScanLimits(1000, 1 << 20);

  private final ChecksumVerifier verifier = new ChecksumVerifier();
  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(settings(directory), StoreFixture.probes(verifier), damage -> {});
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** A store with "a", "b" and "c", and a bit of the record of "b" changed beneath it. */
  private void openWithChanged(Mutation b) throws RocksDBException {
    for (Mutation sound : List.of(put("a", 1, "one"), b, put("c", 3, "three"))) {
      assertThat(apply(store, sound)).isEqualTo(STORED);
    }
    byte[] stored = RecordCodec.encode(b.record());
    stored[stored.length - 1] ^= 1;
    putBeneath("b", stored);
  }

  private void putBeneath(String key, byte[] stored) throws RocksDBException {
    store.close();
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      raw.db().put(raw.records(), key.getBytes(StandardCharsets.UTF_8), stored);
    }
    open();
  }

  @Test
  void neverReturnsOneAndContinuesWithTheOthers() throws RocksDBException {
    openWithChanged(put("b", 2, "two"));
    assertThat(read(store, "b")).isEqualTo(MISMATCH);
    assertThat(read(store, "b")).as("from memory").isEqualTo(MISMATCH);
    assertThat(verifier.mismatches(Place.STORE)).isEqualTo(2);
    assertThat(read(store, "a")).isInstanceOf(ReadResult.Found.class);
    assertThat(store.isCorrupted()).isFalse();
  }

  @Test
  void neverReturnsALargeOne() throws RocksDBException {
    openWithChanged(put("b", 2, "two".repeat(10_000)));
    assertThat(read(store, "b")).isEqualTo(MISMATCH);
    assertThat(read(store, "b")).as("from memory").isEqualTo(MISMATCH);
  }

  @Test
  void namesItInAScanOfWholeRecords() throws RocksDBException {
    openWithChanged(put("b", 2, "two"));
    assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL))
        .isEqualTo(
            new ScanResult.Page(
                List.of(put("a", 1, "one"), put("c", 3, "three")),
                Optional.empty(),
                List.of(Key.of("b"))));
    ScanResult.Page page =
        (ScanResult.Page) scan(store, KeyRange.ALL, Detail.RECORD, new ScanLimits(2, 1 << 20));
    assertThat(page.next()).contains(Key.of("b"));
  }

  @Test
  void givesItAnotherChecksumInAScanWithoutValues() throws RocksDBException {
    Mutation sound = put("b", 2, "two");
    openWithChanged(sound);
    ScanResult.Page page = (ScanResult.Page) scan(store, KeyRange.ALL, Detail.VERSION, ALL);
    assertThat(page.records()).extracting(Mutation::key).hasSize(3);
    assertThat(page.mismatched()).isEmpty();
    assertThat(page.records().get(1).record().checksum()).isNotEqualTo(sound.record().checksum());
    assertThat(page.records().get(0).record().checksum())
        .isEqualTo(put("a", 1, "one").record().checksum());
  }

  @Test
  void takesTheSameVersionInItsPlace() throws RocksDBException {
    Mutation sound = put("b", 2, "two");
    openWithChanged(sound);
    assertThat(apply(store, put("b", 1, "older"))).isInstanceOf(WriteResult.Superseded.class);
    assertThat(read(store, "b")).isEqualTo(MISMATCH);
    assertThat(applyStreamed(store, sound)).isEqualTo(STORED);
    assertThat(read(store, "b")).isEqualTo(new ReadResult.Found(sound.record()));
  }

  @Test
  void takesANewerVersionInItsPlace() throws RocksDBException {
    openWithChanged(put("b", 2, "two"));
    assertThat(apply(store, put("b", 5, "newer"))).isEqualTo(STORED);
    assertThat(read(store, "b")).isEqualTo(new ReadResult.Found(put("b", 5, "newer").record()));
  }

  @Test
  void makesNoTombstoneOfItAndRemovesNone() throws RocksDBException {
    openWithChanged(put("b", 2, "two"));
    assertThat(await(expiring(store, "b", 2))).isEqualTo(REJECTED);
    assertThat(read(store, "b")).isEqualTo(MISMATCH);

    Versioned tombstone = Versioned.tombstone(new Version(9, 1), 3).sealed(Key.of("t"));
    byte[] stored = RecordCodec.encode(tombstone);
    stored[stored.length - 1] ^= 1;
    putBeneath("t", stored);
    assertThat(await(removing(store, "t", 9))).isEqualTo(REJECTED);
    assertThat(store.purgedUpTo()).isZero();
    assertThat(store.isCorrupted()).isFalse();
  }

  @Test
  void readsAndReplacesRecordsOfFormatOne() throws RocksDBException {
    // Version 5-1, from 3, value "v".
    byte[] formatOne = HexFormat.of().parseHex("010000000000000000050000000100000000000000000376");
    putBeneath("old", formatOne);
    Mutation same = put("old", 5, "v");
    assertThat(read(store, "old")).isEqualTo(new ReadResult.Found(same.record()));
    assertThat(read(store, "old", Detail.VERSION))
        .isEqualTo(new ReadResult.FoundVersion(new Version(5, 1)));
    ScanResult.Page page = (ScanResult.Page) scan(store, KeyRange.ALL, Detail.VERSION, ALL);
    assertThat(page.records().getFirst().record().checksum()).isEqualTo(same.record().checksum());
    assertThat(apply(store, same)).isEqualTo(STORED);
    assertThat(apply(store, put("old", 6, "w"))).isEqualTo(STORED);
    assertThat(read(store, "old")).isEqualTo(new ReadResult.Found(put("old", 6, "w").record()));
  }

  @Test
  void ofTwoValuesOfOneVersionKeepsTheSameInEitherOrder() {
    Mutation one = put("x", 1, "one");
    Mutation other = put("x", 1, "other");
    Versioned winner = one.record().outweighs(other.record()) ? one.record() : other.record();
    apply(store, one);
    apply(store, other);
    assertThat(read(store, "x")).isEqualTo(new ReadResult.Found(winner));
    apply(store, new Mutation(Key.of("y"), put("y", 1, "later").record()));
    apply(store, one);
    assertThat(read(store, "x")).isEqualTo(new ReadResult.Found(winner));
  }

  @Test
  void dropsAHintThatDoesNotMatch() throws RocksDBException {
    HintStore hints = store.hints();
    Mutation sound = put("sound", 1, "v");
    Mutation changed = put("changed", 2, "v");
    hints.keep(PEER, sound);
    hints.keep(PEER, changed);
    StoreFixture.keepMark(store.marks(), "drain", 1);
    store.close();
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      byte[] stored = RecordCodec.encode(changed.record());
      stored[stored.length - 1] ^= 1;
      byte[] key = HintKey.of(PEER, changed.record().version(), changed.key()).bytes();
      raw.db().put(raw.hints(), key, stored);
    }
    open();
    assertThat(store.hints().page(PEER, null, 10)).containsExactly(new Hint(PEER, sound));
    assertThat(verifier.mismatches(Place.HINT)).isEqualTo(1);
    StoreFixture.awaitUntil(() -> store.hints().count(PEER) == 1);
    assertThat(store.isCorrupted()).isFalse();
  }
}
