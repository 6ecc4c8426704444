package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.RejectReason;
import dev.kvorum.settings.TestSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Reads of one turn of a loop are handed over together, in tasks that stay short. */
class DiskPoolTest {
  private static final int QUEUE_MAX = 100;

  private final FailureLog failures =
      new FailureLog(
          LoggerFactory.getLogger(DiskPoolTest.class), new CorruptionDetector(what -> {}));
  private final Queue<Runnable> turn = new ArrayDeque<>();
  private final Executor loop = turn::add;
  private final ManualThreads threads = new ManualThreads();
  private final DiskPool pool =
      DiskPool.reads(
          TestSettings.of(StorageSettings.class, "read-queue-max=" + QUEUE_MAX), failures, threads);
  private final List<String> replies = new ArrayList<>();

  private void ask(String reply, long micros) {
    pool.ask(
        () -> {
          threads.nanos += micros * 1000;
          return reply;
        },
        RejectReason::label,
        loop,
        replies::add);
  }

  /** Runs what the loop has to do; returns how many tasks of the pool it made. */
  private int endTurn() {
    while (!turn.isEmpty()) {
      turn.remove().run();
    }
    return threads.tasks.size();
  }

  private void runTasks() {
    while (!threads.tasks.isEmpty()) {
      threads.tasks.remove().run();
    }
  }

  private void readOneByOne(int reads, long micros) {
    for (int i = 0; i < reads; i++) {
      ask("", micros);
      assertThat(endTurn()).isEqualTo(1);
      runTasks();
    }
    endTurn();
    replies.clear();
  }

  @Test
  void aTaskTakesAsManyReadsAsTheirDurationAllows() {
    readOneByOne(100, 20);
    for (int i = 0; i < 12; i++) {
      ask("reply " + i, 1000);
    }
    assertThat(threads.tasks).isEmpty();
    assertThat(endTurn()).as("tasks of 5, 5 and 2 reads of 20 µs").isEqualTo(3);
    assertThat(pool.queued()).isEqualTo(12);
    runTasks();
    assertThat(turn).as("one turn of the loop for each task").hasSize(3);
    assertThat(pool.queued()).isZero();
    endTurn();
    assertThat(replies).hasSize(12).startsWith("reply 0", "reply 1").endsWith("reply 11");
    ask("a", 1000);
    ask("b", 1000);
    assertThat(endTurn()).as("reads have become slow").isEqualTo(2);
  }

  @Test
  void readsOfAnUnknownDiskAreTasksOfTheirOwn() {
    ask("a", 0);
    ask("b", 0);
    assertThat(endTurn()).isEqualTo(2);
  }

  @Test
  void aReadOrReplyThatFailsLeavesTheOthersOfItsTaskAlone() {
    readOneByOne(100, 1);
    pool.ask(
        () -> {
          throw new AssertionError("in a read");
        },
        RejectReason::label,
        loop,
        replies::add);
    pool.ask(
        () -> "unheard",
        RejectReason::label,
        loop,
        reply -> {
          throw new AssertionError("in a reply");
        });
    ask("last", 1);
    assertThat(endTurn()).isEqualTo(1);
    runTasks();
    assertThatThrownBy(this::endTurn).as("the loop handles it").hasMessage("in a reply");
    endTurn();
    assertThat(replies).containsExactly(RejectReason.STORAGE_FAILED.label(), "last");
    assertThat(failures.count()).isEqualTo(1);
  }

  @Test
  void rejectsAtOnceWhenTooManyReadsWait() {
    readOneByOne(100, 1);
    for (int i = 0; i <= QUEUE_MAX; i++) {
      ask("reply", 1);
    }
    assertThat(replies).containsExactly(RejectReason.OVERLOADED.label());
    endTurn();
    runTasks();
    ask("reply", 1);
    endTurn();
    runTasks();
    endTurn();
    assertThat(replies).hasSize(QUEUE_MAX + 2).endsWith("reply");
  }

  @Test
  void answersReadsThatWaitWhenItIsClosedAndThoseHandedOverLater() {
    ask("handed over", 1);
    endTurn();
    ask("not yet", 1);
    assertThat(pool.close(Duration.ZERO)).isTrue();
    endTurn();
    String failed = RejectReason.STORAGE_FAILED.label();
    assertThat(replies).containsExactly(failed, failed);
    assertThat(pool.queued()).isZero();
  }

  @Test
  void forgetsTheReadsOfALoopThatHasEnded() {
    pool.ask(
        () -> "unheard",
        RejectReason::label,
        task -> {
          throw new RejectedExecutionException();
        },
        replies::add);
    assertThat(pool.queued()).isZero();
    assertThat(replies).isEmpty();
  }

  /** Tasks wait until the test runs them. */
  private static final class ManualThreads implements StoreThreads {
    final Queue<Runnable> tasks = new ArrayDeque<>();
    long nanos;

    @Override
    public ExecutorService pool(
        String name, int size, BlockingQueue<Runnable> waiting, RejectedExecutionHandler rejected) {
      return new ThreadlessPool() {
        @Override
        public void execute(Runnable task) {
          if (isShutdown()) {
            rejected.rejectedExecution(task, null);
          } else {
            tasks.add(task);
          }
        }

        @Override
        public List<Runnable> shutdownNow() {
          shutdown();
          List<Runnable> unbegun = List.copyOf(tasks);
          tasks.clear();
          return unbegun;
        }
      };
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public CommitQueue commits(CommitQueue.Batches batches, int queueMax, FailureLog failures) {
      throw new UnsupportedOperationException();
    }

    @Override
    public VersionCache versionCache(long bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public StoreTimer timer(String name, FailureLog failures) {
      throw new UnsupportedOperationException();
    }
  }
}
