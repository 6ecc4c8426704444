package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineException.Kind;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store reports on a database whose writes and syncs fail. */
class StoreHealthTest {
  private static final WriteResult FAILED = new WriteResult.Rejected(RejectReason.STORAGE_FAILED);

  private final AtomicInteger writes = new AtomicInteger();
  private volatile @Nullable Kind failing;
  private volatile Predicate<String> failsFirst = InterceptedEngine::isWrite;
  private volatile boolean hasFailed;
  private volatile boolean failsOnce;
  private volatile long backgroundErrors;
  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store = InterceptedEngine.open(directory, this::around);
  }

  @AfterEach
  void close() {
    failing = null;
    store.close();
  }

  /** The same, apart from the failures of this test. */
  private @Nullable Object around(String name, InterceptedEngine.Call call) throws Throwable {
    boolean isWrite = InterceptedEngine.isWrite(name);
    if (isWrite) {
      writes.incrementAndGet();
    }
    Kind kind = failing;
    if (kind != null && (failsFirst.test(name) || (isWrite && hasFailed))) {
      failing = failsOnce ? null : kind;
      hasFailed = true;
      throw new EngineException("a fault", kind, new IOException("a fault"));
    }
    return name.equals("backgroundErrors") ? backgroundErrors : call.make();
  }

  private void awaitHealth(StoreHealth expected) {
    awaitUntil(() -> store.health() == expected);
  }

  @Test
  void anIoErrorStopsTheStore() {
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
    assertThat(store.health()).isEqualTo(StoreHealth.WORKS);
    failing = Kind.IO_ERROR;
    assertThat(apply(store, put("k", 2, "v"))).isEqualTo(FAILED);
    awaitHealth(StoreHealth.STOPPED);
  }

  @Test
  void anIoErrorOfASyncStopsTheStore() {
    failsFirst = "syncLog"::equals;
    failing = Kind.IO_ERROR;
    assertThat(store.hints().keep(new MemberId("away"), put("k", 1, "v"))).isTrue();
    awaitHealth(StoreHealth.STOPPED);
  }

  @Test
  void anErrorOfAFlushStopsTheStoreWithoutAWrite() {
    failing = Kind.IO_ERROR;
    backgroundErrors = 1;
    awaitHealth(StoreHealth.STOPPED);
  }

  @Test
  void anIoErrorThatDoesNotLastFailsItsWritesOnly() {
    failsOnce = true;
    failing = Kind.IO_ERROR;
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(FAILED);
    int before = writes.get();
    awaitUntil(() -> writes.get() > before);
    assertThat(store.health()).isEqualTo(StoreHealth.FAILS);
    assertThat(apply(store, put("k", 2, "v"))).isEqualTo(STORED);
    assertThat(store.health()).isEqualTo(StoreHealth.WORKS);
  }

  @Test
  void aDatabaseThatRecoversByItselfIsNotStopped() {
    failing = Kind.OTHER;
    backgroundErrors = 1;
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(FAILED);
    int before = writes.get();
    awaitUntil(() -> writes.get() > before);
    assertThat(store.health()).isEqualTo(StoreHealth.FAILS);
    failing = null;
    assertThat(apply(store, put("k", 2, "v"))).isEqualTo(STORED);
    assertThat(store.health()).isEqualTo(StoreHealth.WORKS);
  }
}
