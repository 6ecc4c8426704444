package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
  private static final WriteResult FAILED = new WriteResult.Rejected(RejectReason.STORAGE_FAILED);

  private final StoreFixture.Barrier barrier = new StoreFixture.Barrier();
  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store =
        StoreFixture.open(
            with(
                settings(directory),
                "write-queue-max=16",
                "write-queue-bytes-max=100000",
                "batch-bytes-max=50000"));
  }

  @AfterEach
  void close() {
    barrier.closeIfUnused();
    store.close();
  }

  @Test
  void keepsTheNewestOfOneKeyWithinABatch() {
    barrier.stopAt(store, put("other", 1, "x"));
    var second = applying(store, put("k", 20, "second"));
    var first = applying(store, put("k", 10, "first"));
    var same = applying(store, put("k", 20, "second"));
    var third = applying(store, put("k", 30, "third"));
    barrier.closeIfUnused();

    assertThat(await(second)).isEqualTo(STORED);
    assertThat(await(first)).isEqualTo(new WriteResult.Superseded(new Version(20, 1)));
    assertThat(await(same)).isEqualTo(STORED);
    assertThat(await(third)).isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(30, "third")));
  }

  @Test
  void reportsWhatSupersededAWrite() {
    assertThat(apply(store, put("k", 20, "new"))).isEqualTo(STORED);
    assertThat(apply(store, put("k", 10, "old")))
        .isEqualTo(new WriteResult.Superseded(new Version(20, 1)));
    assertThat(apply(store, put("k", 20, "new"))).isEqualTo(STORED);
    assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(20, "new")));
  }

  @Test
  void dropsAWriteWhoseWaiterNoLongerWaits() {
    barrier.stopAt(store, put("other", 1, "x"));
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.apply(put("k", 1, "late"), INLINE, expired(answer));
    barrier.closeIfUnused();

    assertThat(await(answer)).isEqualTo(new WriteResult.Rejected(RejectReason.EXPIRED));
    assertThat(read(store, "k")).isEqualTo(ReadResult.Absent.ABSENT);
  }

  private static Waiter<WriteResult> expired(CompletableFuture<WriteResult> answer) {
    return new Waiter<>() {
      @Override
      public void reply(WriteResult applied) {
        answer.complete(applied);
      }

      @Override
      public boolean isWaiting() {
        return false;
      }
    };
  }

  @Test
  void rejectsAtOnceWhenTheQueueIsFull() {
    barrier.stopAt(store, put("other", 1, "x"));
    List<CompletableFuture<WriteResult>> queued = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      queued.add(applying(store, put("k" + i, 1, "v")));
    }
    var tooMany = applying(store, put("k16", 1, "v"));
    assertThat(tooMany).isCompletedWithValue(new WriteResult.Rejected(RejectReason.OVERLOADED));
    barrier.closeIfUnused();

    assertThat(queued).allSatisfy(answer -> assertThat(await(answer)).isEqualTo(STORED));
    assertThat(read(store, "k15")).isInstanceOf(ReadResult.Found.class);
    assertThat(read(store, "k16")).isEqualTo(ReadResult.Absent.ABSENT);
  }

  @Test
  void rejectsAtOnceWhenTheQueueHoldsTooManyBytes() {
    barrier.stopAt(store, put("other", 1, "x"));
    var large = applying(store, put("large", 1, "v".repeat(200_000)));
    var more = applying(store, put("more", 1, "v".repeat(1000)));
    assertThat(more).isCompletedWithValue(new WriteResult.Rejected(RejectReason.OVERLOADED));
    barrier.closeIfUnused();

    assertThat(await(large)).as("one alone is let in however large").isEqualTo(STORED);
    assertThat(apply(store, put("more", 1, "v"))).isEqualTo(STORED);
    assertThat(store.stats().queuedWriteBytes()).isZero();
  }

  @Test
  void givesTheAnswersOfABatchInOneTaskForEachLoop() {
    StoreFixture.HeldLoop one = new StoreFixture.HeldLoop();
    StoreFixture.HeldLoop two = new StoreFixture.HeldLoop();
    List<WriteResult> answers = new ArrayList<>();
    barrier.stopAt(store, put("other", 1, "x"));
    for (int i = 0; i < 10; i++) {
      store.apply(put("k" + i, 1, "v"), i % 2 == 0 ? one : two, answers::add);
    }
    barrier.closeIfUnused();

    one.runNext();
    assertThat(answers).hasSize(5);
    two.runNext();
    assertThat(answers).hasSize(10).containsOnly(STORED);
    assertThat(one.tasks() + two.tasks()).isZero();
  }

  @Test
  void survivesWaitersThatThrow() {
    assertStoresBesideAWaiterThat(() -> {
      throw new IllegalStateException("a waiter's bug");
    });
  }

  @Test
  void anErrorOfAWaiterIsNotOneOfTheStore() {
    assertStoresBesideAWaiterThat(() -> {
      throw new AssertionError("a waiter's bug");
    });
  }

  private void assertStoresBesideAWaiterThat(Runnable fails) {
    barrier.stopAt(store, put("other", 1, "x"));
    store.apply(put("bad", 1, "v"), INLINE, answer -> fails.run());
    var good = applying(store, put("good", 1, "v"));
    barrier.closeIfUnused();

    assertThat(await(good)).isEqualTo(STORED);
    assertThat(apply(store, put("later", 1, "v"))).isEqualTo(STORED);
    assertThat(store.health()).isEqualTo(StoreHealth.WORKS);
  }

  @Test
  void anErrorInABatchFailsAllThatWaitAndAllThatCome() {
    apply(store, put("before", 1, "v"));
    barrier.stopAt(store, put("other", 1, "x"));
    var first = applying(store, put("first", 1, "v"));
    CompletableFuture<WriteResult> broken = new CompletableFuture<>();
    store.apply(put("broken", 1, "v"), INLINE, failing(broken));
    var last = applying(store, put("last", 1, "v".repeat(90_000)));
    barrier.closeIfUnused();

    assertThat(List.of(first, broken, last))
        .allSatisfy(answer -> assertThat(await(answer)).isEqualTo(FAILED));
    for (int i = 0; i < 20; i++) {
      assertThat(apply(store, put("later" + i, 1, "v"))).isEqualTo(FAILED);
    }
    assertThat(store.health()).isEqualTo(StoreHealth.BROKEN);
    assertThat(store.stats().queuedWriteBytes()).isZero();
    assertThat(read(store, "before")).isInstanceOf(ReadResult.Found.class);
    assertThat(read(store, "first")).isEqualTo(ReadResult.Absent.ABSENT);
    assertThat(store.closeIfUnused(Duration.ofSeconds(10))).as("the thread has ended").isTrue();
  }

  private static Waiter<WriteResult> failing(CompletableFuture<WriteResult> answer) {
    return new Waiter<>() {
      @Override
      public void reply(WriteResult applied) {
        answer.complete(applied);
      }

      @Override
      public boolean isWaiting() {
        throw new StackOverflowError("on the writer's thread");
      }
    };
  }

  @Test
  void finishesWhatIsQueuedBeforeItCloses() {
    barrier.stopAt(store, put("other", 1, "x"));
    var queued = applying(store, put("k", 1, "v"));
    barrier.closeIfUnused();
    store.close();

    assertThat(queued).isCompletedWithValue(STORED);
  }
}
