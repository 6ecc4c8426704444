package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.applyStreamed;
import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.expiring;
import static dev.kvorum.storage.rocks.StoreFixture.keepMark;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.restoring;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetiredRecordsTest {
  private static final WriteResult TOO_OLD = new WriteResult.Rejected(RejectReason.TOO_OLD);

  private final StoreFixture.Barrier barrier = new StoreFixture.Barrier();
  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store = StoreFixture.open(directory);
  }

  @AfterEach
  void close() {
    barrier.closeIfUnused();
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  @Test
  void expiresARecordUnderItsVersionAndNumberOfCopies() {
    Versioned expired = Versioned.live(new Version(10, 1), 5, 2, new byte[100]);
    apply(store, new Mutation(Key.of("k"), expired));
    assertThat(await(expiring(store, "k", 9))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("another version").isEqualTo(new ReadResult.Found(expired));

    assertThat(await(expiring(store, "k", 10))).isEqualTo(STORED);
    ReadResult tombstone = new ReadResult.Found(Versioned.tombstone(new Version(10, 1), 2));
    assertThat(read(store, "k")).isEqualTo(tombstone);
    assertThat(apply(store, new Mutation(Key.of("k"), expired)))
        .as("the same write once more")
        .isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(tombstone);
    assertThat(await(expiring(store, "never", 10))).isEqualTo(STORED);
    assertThat(read(store, "never")).isEqualTo(ReadResult.Absent.ABSENT);
    reopen();
    assertThat(read(store, "k")).isEqualTo(tombstone);
  }

  @Test
  void restoresARecordWhereItsTombstoneIsAndNowhereElse() {
    Versioned live = Versioned.live(new Version(10, 1), 5, 2, new byte[100]);
    Mutation restored = new Mutation(Key.of("k"), live);
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("nothing is there").isEqualTo(ReadResult.Absent.ABSENT);
    apply(store, new Mutation(Key.of("k"), tombstone(9)));
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k"))
        .as("another version")
        .isEqualTo(new ReadResult.Found(tombstone(9)));

    apply(store, restored);
    assertThat(await(expiring(store, "k", 10))).isEqualTo(STORED);
    var back = restoring(store, restored);
    var again = restoring(store, restored);
    assertThat(List.of(await(back), await(again))).containsOnly(STORED);
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live));
    reopen();
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live));
    apply(store, new Mutation(Key.of("k"), tombstone(11)));
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k"))
        .as("something newer")
        .isEqualTo(new ReadResult.Found(tombstone(11)));
  }

  @Test
  void rejectsWhatIsOlderThanARemovalAndFindsNothing() {
    apply(store, new Mutation(Key.of("k"), tombstone(10)));
    assertThat(await(removing(store, "k", 9))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("another version").isInstanceOf(ReadResult.Found.class);
    assertThat(store.purgedUpTo()).isZero();
    assertThat(await(removing(store, "k", 10))).isEqualTo(STORED);

    for (int opened = 0; opened < 2; opened++) {
      assertThat(read(store, "k")).isEqualTo(ReadResult.Absent.ABSENT);
      assertThat(store.purgedUpTo()).isEqualTo(10);
      assertThat(apply(store, put("k", 9, "old"))).isEqualTo(TOO_OLD);
      assertThat(apply(store, put("k", 10, "same"))).isEqualTo(TOO_OLD);
      assertThat(read(store, "k")).isEqualTo(ReadResult.Absent.ABSENT);
      reopen();
    }
    assertThat(apply(store, put("k", 11, "new"))).isEqualTo(STORED);
    assertThat(apply(store, put("k", 9, "old")))
        .isEqualTo(new WriteResult.Superseded(new Version(11, 1)));
  }

  @Test
  void adoptsWhatItWouldNotApply() {
    apply(store, new Mutation(Key.of("k"), tombstone(10)));
    await(removing(store, "k", 10));
    assertThat(apply(store, put("k", 5, "v"))).isEqualTo(TOO_OLD);
    assertThat(applyStreamed(store, put("k", 5, "v"))).isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(5, "v")));
    assertThat(applyStreamed(store, put("k", 4, "older")))
        .isEqualTo(new WriteResult.Superseded(new Version(5, 1)));
    assertThat(apply(store, put("k", 6, "newer than what is there"))).isEqualTo(STORED);
  }

  @Test
  void decidesWithinABatchAsItDoesBetweenBatches() {
    barrier.stopAt(store, put("other", 1, "x"));
    var first = applying(store, put("k", 10, "v"));
    var expired = expiring(store, "k", 10);
    var removed = removing(store, "k", 10);
    var older = applying(store, put("k", 5, "old"));
    var newer = applying(store, put("k", 20, "new"));
    var late = removing(store, "k", 10);
    barrier.closeIfUnused();

    assertThat(List.of(first, expired, removed, newer, late))
        .allSatisfy(answer -> assertThat(await(answer)).isEqualTo(STORED));
    assertThat(await(older)).isEqualTo(TOO_OLD);
    assertThat(store.purgedUpTo()).isEqualTo(10);
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(20, "new")));
  }

  @Test
  void keepsTheNumberOfCopiesOfARecordExpiredInItsOwnBatch() {
    barrier.stopAt(store, put("other", 1, "x"));
    Versioned record = Versioned.live(new Version(10, 1), 5, 2, new byte[1]);
    var applied = applying(store, new Mutation(Key.of("k"), record));
    var expired = expiring(store, "k", 10);
    barrier.closeIfUnused();
    assertThat(await(applied)).isEqualTo(STORED);
    assertThat(await(expired)).isEqualTo(STORED);
    assertThat(read(store, "k"))
        .isEqualTo(new ReadResult.Found(Versioned.tombstone(new Version(10, 1), 2)));
  }

  @Test
  void aMarkIsSeenOnceItIsDurable() {
    barrier.stopAt(store, put("other", 1, "x"));
    List<WriteResult> answers = new ArrayList<>();
    store.marks().keepMark("synced/n1", 7, Runnable::run, answers::add);
    assertThat(store.marks().mark("synced/n1")).isZero();
    barrier.closeIfUnused();
    StoreFixture.awaitUntil(() -> store.marks().mark("synced/n1") == 7);

    assertThat(keepMark(store.marks(), "synced/n1", 3)).as("marks may go back").isEqualTo(STORED);
    assertThat(store.marks().mark("synced/n1")).isEqualTo(3);
    reopen();
    assertThat(answers).containsExactly(STORED);
    assertThat(store.marks().mark("synced/n1")).isEqualTo(3);
    assertThat(store.marks().mark("synced/n")).isZero();
    store.close();
    assertThat(keepMark(store.marks(), "synced/n1", 9))
        .isEqualTo(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
    assertThat(store.marks().mark("synced/n1")).as("rejected").isEqualTo(3);
  }
}
