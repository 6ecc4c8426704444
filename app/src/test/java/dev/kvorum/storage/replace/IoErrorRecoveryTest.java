package dev.kvorum.storage.replace;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.keepMark;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.StoreFixture;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * RocksDB cannot create the table of a flush, an I/O error after which it rejects all writes: a
 * directory has the table's name. The same in place of the scratch file is a disk that fails.
 */
class IoErrorRecoveryTest {
  private static final WriteResult FAILED = new WriteResult.Rejected(RejectReason.STORAGE_FAILED);
  private static final ReadResult UNKNOWN = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);
  private static final MemberId AWAY = new MemberId("away");
  private static final int FILES = 200;
  private static final String VALUE = "value".repeat(10_000);

  private final List<Path> blocked = new ArrayList<>();
  private @TempDir Path parent;
  private ReplaceableStore store;
  private int acknowledged;

  private final Logger logger =
      (Logger) LoggerFactory.getLogger(ReplaceableStore.class.getPackageName());
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeEach
  void open() {
    open(StoreFixture.settings(directory()), OnCorruption.REBUILD);
  }

  private void open(StoreSettings settings, OnCorruption onCorruption) {
    store =
        ReplaceableStore.open(
            StoreFixture.disk(settings), () -> onCorruption, Duration.ofMillis(1));
  }

  @BeforeEach
  void listen() {
    logged.list = new CopyOnWriteArrayList<>();
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void close() {
    logger.detachAppender(logged);
    store.close();
  }

  private void awaitLogged(String text) {
    awaitUntil(() -> logged.list.stream().anyMatch(it -> it.getMessage().contains(text)));
  }

  private Path directory() {
    return parent.resolve("store");
  }

  private Path scratch() {
    return new StoreDirectories(directory()).scratch();
  }

  private void blockTables() throws IOException {
    for (int number = 1; number <= FILES; number++) {
      Path table = directory().resolve("%06d.sst".formatted(number));
      if (!Files.exists(table)) {
        blocked.add(Files.createDirectory(table));
      }
    }
  }

  /** Lets an opening fail, but not the store that is open. */
  private void blockOpening() throws IOException {
    Files.delete(directory().resolve("LOCK"));
    Files.createDirectory(directory().resolve("LOCK"));
  }

  private void awaitFailedOpening() {
    awaitLogged("tried later");
    assertThat(read(store, "k0")).isEqualTo(UNKNOWN);
    assertThat(store.isFailed()).isTrue();
    assertThat(store.needsRestart()).as("a start would fail as well").isFalse();
  }

  private void unblockTables() throws IOException {
    for (Path table : blocked) {
      Files.delete(table);
    }
  }

  /** Writes until RocksDB has stopped; all writes before that are acknowledged. */
  private void stopByAnIoError() throws IOException {
    blockTables();
    while (apply(store, put("k" + acknowledged, 1 + acknowledged, VALUE)).equals(STORED)) {
      acknowledged++;
      assertThat(acknowledged).as("writes before the error").isLessThan(2000);
    }
    assertThat(store.isFailed()).as("not ready").isTrue();
    assertThat(store.needsRestart()).isFalse();
  }

  private void assertNothingIsLost() {
    for (int i = 0; i < acknowledged; i++) {
      assertThat(read(store, "k" + i)).isEqualTo(new ReadResult.Found(live(1 + i, VALUE)));
    }
    assertThat(acknowledged).isPositive();
  }

  private void awaitReopened() {
    awaitUntil(() -> store.reopened() == 1);
    assertThat(store.isFailed()).isFalse();
    assertThat(store.needsRestart()).isFalse();
    assertNothingIsLost();
    assertThat(apply(store, put("later", 10_000, "v"))).isEqualTo(STORED);
  }

  @Test
  void opensTheStoreAgainOnceItsDiskWorks() throws IOException {
    MarkStore marks = store.ofThisStore();
    assertThat(keepMark(marks, "synced/n1", 5)).isEqualTo(STORED);
    assertThat(store.keep(AWAY, put("k", 1, "hint"))).isTrue();
    Files.createDirectory(scratch());
    stopByAnIoError();
    awaitLogged("waits until its disk works");
    assertNothingIsLost();
    assertThat(apply(store, put("other", 1, "v"))).isEqualTo(FAILED);
    assertThat(keepMark(marks, "synced/n1", 6)).isEqualTo(FAILED);

    unblockTables();
    Files.delete(scratch());
    awaitReopened();
    assertThat(scratch()).doesNotExist();
    assertThat(store.targets()).containsExactly(AWAY);
    assertThat(store.mark(MarkStore.SET_ASIDE)).isZero();
    assertThat(keepMark(marks, "synced/n1", 7)).as("marks of the same store").isEqualTo(STORED);
    assertThat(store.mark("synced/n1")).isEqualTo(7);
    assertThat(marks.mark("synced/n1")).isEqualTo(7);
  }

  @Test
  void triesAgainIfTheStoreCannotBeOpened() throws IOException {
    blockOpening();
    stopByAnIoError();
    awaitFailedOpening();

    unblockTables();
    Files.delete(directory().resolve("LOCK"));
    awaitReopened();
  }

  @Test
  void leavesACorruptedStoreToTheNextStart() throws IOException {
    Files.createDirectory(scratch());
    stopByAnIoError();
    Files.delete(directory().resolve("CURRENT"));
    unblockTables();
    Files.delete(scratch());
    awaitUntil(store::needsRestart);
    assertThat(store.isFailed()).isTrue();
    assertThat(read(store, "k0")).isEqualTo(UNKNOWN);

    store.close();
    open();
    assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
  }

  /** Repairs and transfers may rely on writes that were lost with the error. */
  @Test
  void leavesAStoreWithAsyncWritesToTheNextStart() throws IOException {
    store.close();
    open(
        StoreFixture.settings(directory(), 1000, Durability.ASYNC, Duration.ofMillis(20)),
        OnCorruption.REBUILD);
    Files.createDirectory(scratch());
    stopByAnIoError();
    unblockTables();
    Files.delete(scratch());
    awaitUntil(store::needsRestart);
    assertThat(store.reopened()).isZero();
    assertNothingIsLost();
  }

  /** Stops the store, with a read inside, and waits until it is being closed. */
  private HangingScan closeAroundAHangingScan() throws IOException {
    store.close();
    open(HangingScan.shortOfTime(StoreFixture.settings(directory())), OnCorruption.REBUILD);
    Files.createDirectory(scratch());
    stopByAnIoError();
    HangingScan hanging = HangingScan.beginIn(store);
    unblockTables();
    Files.delete(scratch());
    HangingScan.awaitClosing(store);
    return hanging;
  }

  @Test
  void waitsForAReadThatTakesLongerThanAStopMay() throws IOException {
    HangingScan hanging = closeAroundAHangingScan();
    assertThat(store.needsRestart()).isFalse();
    hanging.end();
    awaitReopened();
  }

  @Test
  void aStopDoesNotWaitForAReadThatHangs() throws IOException {
    HangingScan hanging = closeAroundAHangingScan();
    await(CompletableFuture.runAsync(store::close));
    assertThat(hanging.isOver()).isFalse();
    hanging.end();
  }

  @Test
  void mayReplaceAStoreThatCouldNotBeOpened() throws IOException {
    blockOpening();
    stopByAnIoError();
    awaitFailedOpening();
    MarkStore marks = store.ofThisStore();
    await(store.reset("away too long"));
    assertThat(store.isFailed()).isFalse();
    assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
    assertThat(read(store, "k0")).isEqualTo(ReadResult.Absent.ABSENT);
    assertThat(keepMark(marks, "synced/n1", 5)).as("marks of the old one").isEqualTo(FAILED);
  }
}
