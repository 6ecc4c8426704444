package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.scan;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static dev.kvorum.storage.rocks.StoreFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class RecordScanTest {
  private static final ScanLimits ALL = new ScanLimits(1000, 1 << 20);

  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store = StoreFixture.open(with(settings(directory), "scan-threads=1", "scan-queue-max=1"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static KeyRange range(String start, boolean included, String end) {
    return new KeyRange(Optional.of(Key.of(start)), included, Optional.of(Key.of(end)));
  }

  private static List<String> keys(ScanResult scanned) {
    assertThat(scanned).isInstanceOf(ScanResult.Page.class);
    return ((ScanResult.Page) scanned)
        .records().stream().map(found -> found.key().toString()).toList();
  }

  private void fill(String... keys) {
    for (String key : keys) {
      assertThat(apply(store, put(key, 5, "value"))).isEqualTo(STORED);
    }
  }

  @Test
  void keepsToTheBoundsOfTheRange() {
    fill("a", "b", "ba", "c", "d");

    assertThat(keys(scan(store, KeyRange.ALL, Detail.RECORD, ALL)))
        .containsExactly("a", "b", "ba", "c", "d");
    assertThat(keys(scan(store, range("b", true, "d"), Detail.RECORD, ALL)))
        .containsExactly("b", "ba", "c");
    assertThat(keys(scan(store, range("b", false, "d"), Detail.RECORD, ALL)))
        .containsExactly("ba", "c");
    assertThat(keys(scan(store, range("b1", false, "b9"), Detail.RECORD, ALL))).isEmpty();
    assertThat(keys(scan(store, range("aa", false, "zz"), Detail.RECORD, ALL)))
        .as("an excluded start that is not there")
        .containsExactly("b", "ba", "c", "d");
    assertThat(keys(scan(store, range("c", true, "a"), Detail.RECORD, ALL))).isEmpty();
    assertThat(keys(scan(store, range("c", true, "c"), Detail.RECORD, ALL))).isEmpty();
  }

  @Test
  void keepsToTheBoundsOfTheRangeInDescendingOrder() {
    fill("a", "b", "ba", "c", "d");

    assertThat(keys(descending(KeyRange.ALL, ALL))).containsExactly("d", "c", "ba", "b", "a");
    assertThat(keys(descending(range("b", true, "d"), ALL))).containsExactly("c", "ba", "b");
    assertThat(keys(descending(range("b", false, "d"), ALL))).containsExactly("c", "ba");
    assertThat(keys(descending(range("b1", false, "b9"), ALL))).isEmpty();
    assertThat(keys(descending(range("aa", false, "zz"), ALL)))
        .containsExactly("d", "c", "ba", "b");
    assertThat(keys(descending(range("c", true, "a"), ALL))).isEmpty();
    assertThat(keys(descending(range("c", true, "c"), ALL))).isEmpty();
  }

  private ScanResult descending(KeyRange range, ScanLimits limits) {
    return scan(store, range, KeyOrder.DESCENDING, Detail.RECORD, limits);
  }

  @Test
  void goesOnBehindTheLastKeyUntilTheEnd() {
    List<String> written = new ArrayList<>();
    for (int i = 100; i < 125; i++) {
      written.add("k" + i);
    }
    fill(written.toArray(String[]::new));
    for (int size : List.of(1, 5, 24, 25, 26)) {
      goesOn(KeyOrder.ASCENDING, size, written);
      goesOn(KeyOrder.DESCENDING, size, written.reversed());
    }
  }

  private void goesOn(KeyOrder order, int size, List<String> expected) {
    List<String> found = new ArrayList<>();
    int pages = 0;
    Optional<KeyRange> rest = Optional.of(KeyRange.ALL);
    while (rest.isPresent()) {
      ScanResult page =
          scan(store, rest.get(), order, Detail.RECORD, new ScanLimits(size, 1 << 20));
      assertThat(keys(page)).hasSizeBetween(1, size);
      found.addAll(keys(page));
      KeyRange read = rest.get();
      rest = ((ScanResult.Page) page).next().map(key -> order.rest(read, key));
      pages++;
    }
    assertThat(found).isEqualTo(expected);
    assertThat(pages).as("no empty page behind the last record").isEqualTo((24 + size) / size);
  }

  @Test
  void hasOneRecordThatIsLargerThanAPage() {
    fill("a");
    apply(store, put("b", 5, "v".repeat(100_000)));
    fill("c");
    ScanLimits small = new ScanLimits(10, 1000);

    ScanResult first = scan(store, KeyRange.ALL, Detail.RECORD, small);
    assertThat(keys(first)).containsExactly("a");
    ScanResult large = scan(store, KeyRange.ALL.after(Key.of("a")), Detail.RECORD, small);
    assertThat(keys(large)).containsExactly("b");
    assertThat(((ScanResult.Page) large).next()).contains(Key.of("b"));
    assertThat(keys(scan(store, KeyRange.ALL.after(Key.of("b")), Detail.RECORD, small)))
        .containsExactly("c");
  }

  @Test
  void leavesValuesOutAndNothingElse() {
    Versioned expiring = Versioned.live(new Version(7, 1), 99, 2, new byte[50_000]);
    apply(store, new Mutation(Key.of("a"), expiring));
    apply(store, new Mutation(Key.of("b"), tombstone(8)));

    assertThat(scan(store, KeyRange.ALL, Detail.VERSION, ALL))
        .isEqualTo(
            new ScanResult.Page(
                List.of(
                    new Mutation(
                        Key.of("a"), Versioned.live(new Version(7, 1), 99, 2, new byte[0])),
                    new Mutation(Key.of("b"), tombstone(8))),
                Optional.empty()));
    assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL))
        .isEqualTo(
            new ScanResult.Page(
                List.of(
                    new Mutation(Key.of("a"), expiring), new Mutation(Key.of("b"), tombstone(8))),
                Optional.empty()));
  }

  @Test
  void ordersOddKeysByTheirBytes() {
    List<Key> odd =
        List.of(
            Key.ofBytes(new byte[] {0}),
            Key.ofBytes(new byte[] {0, 0}),
            Key.of(" "),
            Key.of("ä"),
            Key.ofBytes(new byte[] {(byte) 0xff}),
            Key.ofBytes(new byte[] {(byte) 0xff, (byte) 0xff}));
    odd.reversed().forEach(key -> apply(store, new Mutation(key, StoreFixture.live(5, "v"))));

    ScanResult.Page all = (ScanResult.Page) scan(store, KeyRange.ALL, Detail.VERSION, ALL);
    assertThat(all.records()).extracting(Mutation::key).isEqualTo(odd);
    ScanResult.Page rest =
        (ScanResult.Page) scan(store, KeyRange.ALL.after(odd.get(4)), Detail.VERSION, ALL);
    assertThat(rest.records()).extracting(Mutation::key).containsExactly(odd.get(5));
  }

  @Test
  void saysUnknownForWhatIsNoRecordAndForWhatIsNoKey() throws RocksDBException {
    store.close();
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      raw.db()
          .put(
              raw.records(),
              new byte[2000],
              RecordCodec.encode(StoreFixture.live(1, "v").sealed(Key.of("k"))));
    }
    open();
    ScanResult unknown = new ScanResult.Unknown(RejectReason.STORAGE_FAILED);
    assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL)).isEqualTo(unknown);
    assertThat(store.isCorrupted()).isTrue();
    store.close();
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      raw.db().delete(raw.records(), new byte[2000]);
      raw.db().put(raw.records(), new byte[] {'x'}, new byte[3]);
    }
    open();
    assertThat(scan(store, KeyRange.ALL, Detail.VERSION, ALL)).isEqualTo(unknown);
  }

  @Test
  void answersWhenItIsClosedAndWhenNobodyWaits() {
    fill("a");
    CompletableFuture<ScanResult> abandoned = new CompletableFuture<>();
    store.scan(
        KeyRange.ALL,
        Detail.RECORD,
        ALL,
        INLINE,
        new Waiter<>() {
          @Override
          public void reply(ScanResult scanned) {
            abandoned.complete(scanned);
          }

          @Override
          public boolean isWaiting() {
            return false;
          }
        });
    assertThat(await(abandoned)).isEqualTo(new ScanResult.Unknown(RejectReason.EXPIRED));
    store.close();
    assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL))
        .isEqualTo(new ScanResult.Unknown(RejectReason.STORAGE_FAILED));
  }

  @Test
  void readsContinueWhileScansUseAllTheirThreads() {
    fill("a");
    store.close();
    open();
    StoreFixture.Barrier barrier = new StoreFixture.Barrier();
    store.scan(KeyRange.ALL, Detail.RECORD, ALL, INLINE, scanned -> barrier.execute(() -> {}));
    barrier.awaitReached();
    CompletableFuture<ScanResult> waiting = new CompletableFuture<>();
    store.scan(KeyRange.ALL, Detail.RECORD, ALL, INLINE, waiting::complete);
    assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL))
        .isEqualTo(new ScanResult.Unknown(RejectReason.OVERLOADED));

    assertThat(read(store, "a")).as("from the disk").isInstanceOf(ReadResult.Found.class);
    assertThat(store.stats().diskReads()).isEqualTo(1);
    assertThat(waiting).isNotDone();
    barrier.closeIfUnused();
    assertThat(keys(await(waiting))).containsExactly("a");
  }

  @Test
  void aPageIsOfOneMoment() {
    for (int i = 0; i < 50; i++) {
      fill("k" + (100 + i));
    }
    Thread writer =
        Thread.startVirtualThread(() -> {
          for (int round = 0; round < 40; round++) {
            int stamp = 10 + round;
            // One batch each: all of it is in a page or none.
            List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
            StoreFixture.Barrier barrier = new StoreFixture.Barrier();
            barrier.stopAt(store, put("z", stamp, "z"));
            for (int i = 0; i < 50; i++) {
              answers.add(StoreFixture.applying(store, put("k" + (100 + i), stamp, "w")));
            }
            barrier.closeIfUnused();
            answers.forEach(StoreFixture::await);
          }
        });
    int pages = 0;
    KeyRange fifty = range("k", true, "l");
    do {
      ScanResult.Page page = (ScanResult.Page) scan(store, fifty, Detail.VERSION, ALL);
      assertThat(page.records())
          .hasSize(50)
          .extracting(found -> found.record().version())
          .containsOnly(page.records().getFirst().record().version());
      pages++;
    } while (writer.isAlive());
    assertThat(pages).isGreaterThan(1);
  }
}
