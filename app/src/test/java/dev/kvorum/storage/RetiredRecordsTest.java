package dev.kvorum.storage;

import static dev.kvorum.storage.StoreFixture.STORED;
import static dev.kvorum.storage.StoreFixture.adopt;
import static dev.kvorum.storage.StoreFixture.apply;
import static dev.kvorum.storage.StoreFixture.applying;
import static dev.kvorum.storage.StoreFixture.await;
import static dev.kvorum.storage.StoreFixture.entombing;
import static dev.kvorum.storage.StoreFixture.keepMark;
import static dev.kvorum.storage.StoreFixture.live;
import static dev.kvorum.storage.StoreFixture.put;
import static dev.kvorum.storage.StoreFixture.read;
import static dev.kvorum.storage.StoreFixture.removing;
import static dev.kvorum.storage.StoreFixture.restoring;
import static dev.kvorum.storage.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetiredRecordsTest {
  private static final Applied TOO_OLD = new Applied.Refused(Refusal.TOO_OLD);

  private final StoreFixture.Barrier barrier = new StoreFixture.Barrier();
  private @TempDir Path directory;
  private RocksStore store;

  @BeforeEach
  void open() {
    store = StoreFixture.open(directory);
  }

  @AfterEach
  void close() {
    barrier.letGo();
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  @Test
  void entombsARecordUnderItsVersionAndNumberOfCopies() {
    Versioned expired = Versioned.live(new Version(10, 1), 5, 2, new byte[100]);
    apply(store, new Mutation(Key.of("k"), expired));
    assertThat(await(entombing(store, "k", 9))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("another version").isEqualTo(new Lookup.Found(expired));

    assertThat(await(entombing(store, "k", 10))).isEqualTo(STORED);
    Lookup entombed = new Lookup.Found(Versioned.tombstone(new Version(10, 1), 2));
    assertThat(read(store, "k")).isEqualTo(entombed);
    assertThat(apply(store, new Mutation(Key.of("k"), expired)))
        .as("the same write once more")
        .isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(entombed);
    assertThat(await(entombing(store, "never", 10))).isEqualTo(STORED);
    assertThat(read(store, "never")).isEqualTo(Lookup.Absent.ABSENT);
    reopen();
    assertThat(read(store, "k")).isEqualTo(entombed);
  }

  @Test
  void restoresARecordWhereItsTombstoneIsAndNowhereElse() {
    Versioned live = Versioned.live(new Version(10, 1), 5, 2, new byte[100]);
    Mutation restored = new Mutation(Key.of("k"), live);
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("nothing is there").isEqualTo(Lookup.Absent.ABSENT);
    apply(store, new Mutation(Key.of("k"), tombstone(9)));
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("another version").isEqualTo(new Lookup.Found(tombstone(9)));

    apply(store, restored);
    assertThat(await(entombing(store, "k", 10))).isEqualTo(STORED);
    var back = restoring(store, restored);
    var again = restoring(store, restored);
    assertThat(List.of(await(back), await(again))).containsOnly(STORED);
    assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live));
    reopen();
    assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live));
    apply(store, new Mutation(Key.of("k"), tombstone(11)));
    assertThat(await(restoring(store, restored))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("something newer").isEqualTo(new Lookup.Found(tombstone(11)));
  }

  @Test
  void refusesWhatIsOlderThanARemovalAndFindsNothing() {
    apply(store, new Mutation(Key.of("k"), tombstone(10)));
    assertThat(await(removing(store, "k", 9))).isEqualTo(STORED);
    assertThat(read(store, "k")).as("another version").isInstanceOf(Lookup.Found.class);
    assertThat(store.removedUpTo()).isZero();
    assertThat(await(removing(store, "k", 10))).isEqualTo(STORED);

    for (int opened = 0; opened < 2; opened++) {
      assertThat(read(store, "k")).isEqualTo(Lookup.Absent.ABSENT);
      assertThat(store.removedUpTo()).isEqualTo(10);
      assertThat(apply(store, put("k", 9, "old"))).isEqualTo(TOO_OLD);
      assertThat(apply(store, put("k", 10, "same"))).isEqualTo(TOO_OLD);
      assertThat(read(store, "k")).isEqualTo(Lookup.Absent.ABSENT);
      reopen();
    }
    assertThat(apply(store, put("k", 11, "new"))).isEqualTo(STORED);
    assertThat(apply(store, put("k", 9, "old")))
        .isEqualTo(new Applied.Superseded(new Version(11, 1)));
  }

  @Test
  void adoptsWhatItWouldNotApply() {
    apply(store, new Mutation(Key.of("k"), tombstone(10)));
    await(removing(store, "k", 10));
    assertThat(apply(store, put("k", 5, "v"))).isEqualTo(TOO_OLD);
    assertThat(adopt(store, put("k", 5, "v"))).isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live(5, "v")));
    assertThat(adopt(store, put("k", 4, "older")))
        .isEqualTo(new Applied.Superseded(new Version(5, 1)));
    assertThat(apply(store, put("k", 6, "newer than what is there"))).isEqualTo(STORED);
  }

  @Test
  void decidesWithinABatchAsItDoesBetweenBatches() {
    barrier.stopAt(store, put("other", 1, "x"));
    var first = applying(store, put("k", 10, "v"));
    var entombed = entombing(store, "k", 10);
    var removed = removing(store, "k", 10);
    var older = applying(store, put("k", 5, "old"));
    var newer = applying(store, put("k", 20, "new"));
    var late = removing(store, "k", 10);
    barrier.letGo();

    assertThat(List.of(first, entombed, removed, newer, late))
        .allSatisfy(answer -> assertThat(await(answer)).isEqualTo(STORED));
    assertThat(await(older)).isEqualTo(TOO_OLD);
    assertThat(store.removedUpTo()).isEqualTo(10);
    assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live(20, "new")));
  }

  @Test
  void keepsTheNumberOfCopiesOfARecordEntombedInItsOwnBatch() {
    barrier.stopAt(store, put("other", 1, "x"));
    Versioned record = Versioned.live(new Version(10, 1), 5, 2, new byte[1]);
    var applied = applying(store, new Mutation(Key.of("k"), record));
    var entombed = entombing(store, "k", 10);
    barrier.letGo();
    assertThat(await(applied)).isEqualTo(STORED);
    assertThat(await(entombed)).isEqualTo(STORED);
    assertThat(read(store, "k"))
        .isEqualTo(new Lookup.Found(Versioned.tombstone(new Version(10, 1), 2)));
  }

  @Test
  void aMarkIsSeenOnceItIsDurable() {
    barrier.stopAt(store, put("other", 1, "x"));
    List<Applied> answers = new ArrayList<>();
    store.marks().keepMark("synced/n1", 7, Runnable::run, answers::add);
    assertThat(store.marks().mark("synced/n1")).isZero();
    barrier.letGo();
    StoreFixture.awaitUntil(() -> store.marks().mark("synced/n1") == 7);

    assertThat(keepMark(store.marks(), "synced/n1", 3)).as("marks may go back").isEqualTo(STORED);
    assertThat(store.marks().mark("synced/n1")).isEqualTo(3);
    reopen();
    assertThat(answers).containsExactly(STORED);
    assertThat(store.marks().mark("synced/n1")).isEqualTo(3);
    assertThat(store.marks().mark("synced/n")).isZero();
    store.close();
    assertThat(keepMark(store.marks(), "synced/n1", 9))
        .isEqualTo(new Applied.Refused(Refusal.STORAGE_FAILED));
    assertThat(store.marks().mark("synced/n1")).as("refused").isEqualTo(3);
  }
}
